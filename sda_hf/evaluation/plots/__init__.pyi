# The public names, each loaded when it is first used.
from .canvas import save as save
from .curves import score_over_steps as score_over_steps
from .curves import sweep as sweep
from .heatmap import attention_heatmap as attention_heatmap
from .histograms import cosine_histograms as cosine_histograms
from .scatter import alignment_uniformity as alignment_uniformity
from .shares import rewrite_shares as rewrite_shares
from .similarities import similarity_heatmap as similarity_heatmap
