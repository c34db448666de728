"""The standing sweep: lintpickle over pinned public code, what that costs, and how much of what it says is right.

python -m tools.sweep run --cache DIR --output RESULTS    lint the trees of `trees.tsv`
python -m tools.sweep compare OLD NEW                     what came, what went, what got slower
python -m tools.sweep precision RESULTS                   how many findings bite, by the verdicts of `verdicts.tsv`
python -m tools.sweep record RESULTS --release NAME       keep these figures for `docs/precision.md`

Nothing of the trees is run: wheels are unpacked, checkouts are read.
"""
