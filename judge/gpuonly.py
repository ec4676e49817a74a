"""Names of CUDA that the CPU backend does not have: told apart from slips of the keyboard.

A compiler says of both that the name was not declared.  What is listed here is right CUDA that only
a GPU runs; `cudaMaloc` is not, and stays the mistake it is.
"""

from __future__ import annotations

import re

# The name that a message of g++ or clang++ complains of, with the scope it was looked for in.
_UNKNOWN = re.compile(
    r"'(?P<name>[\w:]+)'(?: in namespace '(?P<scope>[\w:]+)')? (?:was not declared"
    r"|has not been declared|does not name a(?: template)? type"
    r"|is not a member of '(?P<of>[\w:]+)')"
    r"|use of undeclared identifier '(?P<identifier>\w+)'"
    r"|unknown type name '(?P<type>\w+)'"
    r"|has no member named '(?P<method>\w+)'"
    r"|no (?:member|type|template) named '(?P<member>\w+)' in (?:namespace )?'(?P<inside>[\w:]+)'"
)
_FEATURES = {
    "CUDA graphs": r"cudaGraph\w*|cudaStream(?:IsCapturing|(?:Begin|End|Get|Update)Capture\w*)"
    r"|cuda(?:Kernel|Host|Memset|Memcpy)NodeParams\w*|cudaThreadExchangeStreamCaptureMode",
    "textures": r"tex(?:1D|2D|3D|Cubemap)\w*|cuda(?:Texture|Array|ChannelFormat|BindTexture"
    r"|UnbindTexture|CreateChannelDesc|Resource|AddressMode|FilterMode|ReadMode|Mipmapped"
    r"|MallocMipmapped|FreeMipmapped|FreeArray|Malloc3DArray)\w*|cudaMemcpy(?:2D|3D)?(?:To|From)Array\w*",
    "surfaces": r"surf(?:1D|2D|3D|Cubemap)\w*|cudaSurface\w*|cudaBoundaryMode\w*",
    "three-dimensional copies": r"cuda(?:Memcpy3D|Malloc3D|Memset3D|PitchedPtr|Extent|Pos)\w*"
    r"|make_cuda(?:PitchedPtr|Extent|Pos)",
    "memory pools": r"cudaMemPool\w*|cudaDevice[GS]et(?:Default)?MemPool|cudaMallocFromPoolAsync"
    r"|cudaMemAllocation\w*|cudaMemAccess\w*",
    "several GPUs": r"cudaIpc\w*|cuda\w*Peer\w*",
    "clusters of blocks": r"this_cluster|cluster_group|__cluster\w*|cudaLaunchAttributeCluster\w+"
    r"|cudaOccupancyMax(?:Active|PotentialClusterSize)Clusters?|map_shared_rank",
    "the L2 cache's policies": r"cudaStream(?:Attr|[SG]etAttribute|CopyAttributes)\w*"
    r"|cudaAccess(?:Policy|Property)\w*|cudaCtxResetPersistingL2Cache|cudaKernelAttribute\w*",
    "memory shared with graphics": r"cuda(?:External|Import|Graphics|GL|EGL|Signal|Wait)\w*",
    "TMA": r"CUtensorMap\w*|cuTensorMap\w*|CU_TENSOR_MAP_\w+",
    "the driver API": r"cu(?:Init|Ctx|Module|Library|Launch|Mem|Device|Driver|Func|Stream|Event"
    r"|Graph|Kernel|Link|Occupancy|Pointer|Array|Tex|GetError|GetProc)\w*"
    r"|CU(?:module|function|context|device|deviceptr|stream|event|result|library|kernel|jit\w*)(?:_\w+)?"
    r"|CUDA_(?:SUCCESS|ERROR_\w+)|CU_\w+_ATTRIBUTE_\w+",
    "groups of several devices": r"this_multi_grid|multi_grid_group"
    r"|cudaLaunchCooperativeKernelMultiDevice",
    "this part of cooperative groups": r"labeled_partition|binary_partition|block_tile_memory"
    r"|barrier_(?:arrive|wait|sync)|invoke_one(?:_broadcast)?|(?:ex|in)clusive_scan_update"
    r"|reduce_(?:update|store)_async",
    "packed pairs of floats": r"__f(?:add|mul|fma)2_r[nzud]",
    "questions of address spaces": r"__is(?:Shared|Global|Local|Constant|GridConstant)"
    r"|__cvta_\w+",
}
_NAMED = {feature: re.compile(names) for feature, names in _FEATURES.items()}
_TYPES = {"texture": "textures", "surface": "surfaces"}
"""Templates of old: only where the compiler says that a type is meant."""
_OWN = ("cub", "cuda", "thrust", "wmma", "cooperative_groups")
"""Namespaces whose headers here hold a part of what CUDA's do."""


def feature(message: str) -> str | None:
    """What a compiler's message lacks, as `CUDA graphs (cudaGraphUpload)`; None for a mistake."""
    match = _UNKNOWN.search(message.split("; did you mean")[0])
    if match is None:
        return None
    found = {key: text for key, text in match.groupdict().items() if text}
    scope = next((found[key] for key in ("scope", "of", "inside") if key in found), "")
    keys = ("name", "identifier", "type", "method", "member")
    path = [*scope.split("::"), *next(found[key] for key in keys if key in found).split("::")]
    name, outer = path[-1], [one for one in path[:-1] if one in _OWN]
    for what, names in _NAMED.items():
        if names.fullmatch(name):
            return f"{what} ({name})"
    if outer:
        return "::".join(dict.fromkeys((*outer, name)))
    if name in _TYPES and ("type" in found or "name a" in match[0]):
        return f"{_TYPES[name]} ({name})"
    return None
