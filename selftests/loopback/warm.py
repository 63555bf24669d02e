"""What a forked command starts with: what most commands need, but none of the modules that pytest rewrites as its plugins."""

import gc

import animal_conformance.cli
import animal_conformance.commands.compare
import animal_conformance.commands.replay
import animal_conformance.commands.report
import animal_conformance.commands.run
import animal_conformance.commands.verify
import animal_conformance.drive.generated
import animal_conformance.report.formats
import animal_conformance.session.plugin  # noqa: F401 - imported to be there, as those above

gc.collect()
gc.freeze()  # these objects stay, and no fork scans them again
