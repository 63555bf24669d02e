"""Makes `python -m animal_conformance` the same as `animal-conformance`."""

from animal_conformance.cli import main

if __name__ == "__main__":
    main()
