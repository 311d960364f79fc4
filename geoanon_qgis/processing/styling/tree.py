# SPDX-License-Identifier: GPL-2.0-or-later
"""Where layers stand in the layer tree: in groups for releases and one for what is private.

Released points lie above the lines and areas that explain them, released areas below all that. In
each group points lie above lines and lines above areas, whatever run they are of. A layer that
stands in a group of the user's own stays there.
"""

from __future__ import annotations

from qgis.core import (
    QgsLayerTreeGroup,
    QgsLayerTreeLayer,
    QgsMapLayer,
    QgsProject,
    QgsWkbTypes,
)

from ..i18n import mark, tr
from . import names
from .origin import origin_of
from .roles import ROLES

_GROUP = "geoanon/group"
RELEASE, PRIVATE, AREAS = "release", "private", "areas"
#: From the top of the map downwards.
_TITLES = {
    RELEASE: mark("RELEASE"),
    PRIVATE: mark("PRIVATE: never give away"),
    AREAS: mark("RELEASE: areas"),
}
#: Legends that only repeat the colours of another layer.
_FOLDED = (names.LINKS, names.CELLS, names.SUPPORT)


def place(project: QgsProject, layer_id: str) -> None:
    """Put a layer into its group, count its features in the legend, fold up what repeats."""
    root = project.layerTreeRoot()
    node = root.findLayer(layer_id)
    if node is None or node.layer() is None:
        return
    role = origin_of(node.layer()).role
    if role not in ROLES:
        return
    node.setCustomProperty("showFeatureCount", True)
    node.setExpanded(role not in _FOLDED)
    if node.parent() is not root and not node.parent().customProperty(_GROUP):
        return
    target = _group_of(root, node.layer(), ROLES[role].secrecy) or node.parent()
    siblings = [one for one in target.children() if one is not node]
    at = next((i for i, one in enumerate(siblings) if _level(one) <= ROLES[role].level), None)
    at = len(siblings) if at is None else at
    if target is node.parent() and target.children().index(node) == at:
        return
    # The copy comes first, or QGIS takes the layer for removed.
    old, children = node.parent(), target.children()
    target.insertChildNode(children.index(siblings[at]) if at < len(siblings) else -1, node.clone())
    old.removeChildNode(node)


def _group_of(
    root: QgsLayerTreeGroup, layer: QgsMapLayer, secrecy: str
) -> QgsLayerTreeGroup | None:
    """Return the group that a layer belongs to, which is made if need be."""
    if not secrecy:
        return None
    areas = layer.geometryType() == QgsWkbTypes.GeometryType.PolygonGeometry
    kind = AREAS if secrecy == RELEASE and areas else secrecy
    there = {one.customProperty(_GROUP): one for one in root.findGroups()}
    if kind in there:
        return there[kind]
    at, order = 0, list(_TITLES)
    for row, node in enumerate(root.children()):
        other = node.customProperty(_GROUP)
        if other in _TITLES and order.index(other) < order.index(kind):
            at = row + 1
    made = root.insertGroup(at, tr(_TITLES[kind]))
    made.setCustomProperty(_GROUP, kind)
    return made


def is_private(group: QgsLayerTreeGroup) -> bool:
    """Tell whether a group is the one for what is private."""
    return group.customProperty(_GROUP) == PRIVATE


def _level(node) -> int:
    layer = node.layer() if isinstance(node, QgsLayerTreeLayer) else None
    role = "" if layer is None else origin_of(layer).role
    return ROLES[role].level if role in ROLES else -1
