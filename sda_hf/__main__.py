"""`python -m sda_hf` is the command line; `accelerate launch -m sda_hf train RECIPE` runs it on several devices."""

from sda_hf.cli import main

if __name__ == "__main__":
    main()
