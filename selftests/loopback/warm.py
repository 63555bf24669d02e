"""What a forked command begins with: everything imported that it would import."""

import gc

import animal_conformance.commands.compare
import animal_conformance.commands.replay
import animal_conformance.commands.report
import animal_conformance.commands.run
import animal_conformance.commands.verify
import animal_conformance.drive.generated
import animal_conformance.session.plugin  # noqa: F401 - imported to be there, as those above

gc.collect()
gc.freeze()  # what is there now stays, and no fork looks through it again
