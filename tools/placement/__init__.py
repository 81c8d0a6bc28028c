"""Where each operator runs: kernels, their limits, and what an accelerator's compiler takes."""
