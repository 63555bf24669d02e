"""Why drivers are kept although they alone find none of the catalogue's faults."""

from __future__ import annotations

from typing import Final

FUZZED: Final = "What nobody has thought of: other requests with each seed, and many of them in deep runs."

# Reasons by the names of the drivers, without parameters.
REASONS: Final = {
    "test_a_client_that_keeps_cookies": "It sends requests only if a deployment sets cookies; other voices find the catalogue's faults.",
    "test_a_small_limit_before_the_largest": "It finds a cache that keeps pages without their limit; elsewhere, that order of requests is chance.",
    "test_animals_that_exist": "What alternates from one response to the next shows only if an animal is read twice.",
    "test_connections_that_are_new": "Which worker is reached is chance: a dozen new connections find one among many.",
    "test_coverage_of_the_contract": "It changes with the contract, and finds what no driver was changed for.",
    "test_each_status_and_none": "It is the evidence of two clauses, in smoke runs too.",
    "test_each_status_and_none_in_another_form": "Other forms of the same payloads: what is omitted may be stored by a statement of its own.",
    "test_every_animal_that_a_list_has_shown": "In large stores, no other driver gets the animals of others.",
    "test_filtered_lists_beside_the_whole_one": "If others change the store, only lists without anything between them can be compared.",
    "test_filters_that_are_invalid": "It is the evidence of a SHOULD clause and of three open questions.",
    "test_fuzzing_by_the_contract": FUZZED,
    "test_invalid_keys_after_many_requests": "What a server remembers of keys is full only at the end.",
    "test_known_animals_after_the_time_to_settle": "What is missing only after settling shows where nothing else is asked late.",
    "test_limit_and_status_together": "It is the evidence of list.combined, in smoke runs too.",
    "test_limits_that_were_put_off": "It sends what an earlier driver leaves out where animals were missing.",
    "test_listed_animals_that_were_put_off": "Of a few lost animals among hundreds, it meets more if requests are left over.",
    "test_listed_animals_are_found": "It gets what lists show at once, in smoke runs too; fuller drivers get it later.",
    "test_lists_without_a_limit": "It is the evidence of list.limit.default, in smoke runs too.",
    "test_more_animals_of_one_status_than_a_list_may_hold": "Without it, list.limit.maximum is untold on small stores.",
    "test_readings_at_the_same_time": "What requests at the same time mix up is chance: of two bursts of readings, one may show it.",
    "test_readings_to_which_the_key_comes_first": "It is the evidence of auth.first for listPets and getPet.",
    "test_sequences_of_creations_and_readings": FUZZED,
    "test_the_first_animals_half_a_minute_later": "It is for deep and certifying runs.",
    "test_creations_that_are_alike": "It answers an open question, and merges are tried by more than the case of a name.",
    "test_the_same_creation_while_lists_have_room": "Lists that merge animals of one name show it for certain only while they have room.",
    "test_there_are_more_animals_than_a_list_may_hold": "Without it, two clauses are untold on small stores.",
    "test_what_was_generated_is_there": "It reads back what other drivers have created, which is the evidence of their clauses.",
    "test_wrong_values_of_every_type": FUZZED,
}
