"""Runs the reference deployment: python -m animal_conformance.reference."""

from animal_conformance.reference.command import serve

if __name__ == "__main__":
    serve(prog_name="python -m animal_conformance.reference")
