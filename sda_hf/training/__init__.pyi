# The public names, each loaded when it is first used.
from .callbacks import LossState as LossState
from .complete_rows import check_rows as check_rows
from .recipe import Recipe as Recipe
from .redraw import NewDraws as NewDraws
from .runner import RunResult as RunResult
from .runner import run as run
