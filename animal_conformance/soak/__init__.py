"""The verdict under load: users that Locust runs, and judges that go with them.

Here live the users and what they do, the windows in which exchanges are judged and forgotten, what is remembered of
them, what is measured, and what workers and their master tell each other. No rule lives here, nothing that sends, and
nothing that Locust does already. Only the modules that run the users import Locust, which patches the process that it
runs in.
"""
