# SPDX-License-Identifier: GPL-2.0-or-later
"""What masks share that keep their draws: the secret, the mask file, and who was withheld.

A mask of this family moves a place by numbers that come from a secret and the place alone (see
:mod:`....core.masking.kept_draws`). It reads SECRET, writes SECRET_FILE, MASK and WITHHELD, and
leaves to its own class how points move: :meth:`~.masking.MaskingAlgorithm.mask` returns a
:class:`~.masked.Masked` with ``withheld`` and ``way``, and takes ``points.secret``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from qgis.core import QgsWkbTypes

from ....core.masking import secretfile
from ....core.masking.secretfile import SecretFile
from ....core.runtime.errors import InputError
from ....core.runtime.geos import shapely
from ....core.runtime.progress import Progress
from ....core.space.planes import plane_at
from ....core.space.points import convex_hull, nearest_neighbours, places
from ....core.space.scales import shortest_metre
from ....core.verification import pointmask
from ....core.verification.pointmask import PointMask, UsedLayer
from ... import styling
from ...dialog import parameters
from ...dialog.declaration import Field, Output, Value, private
from ...i18n import mark, number_of, tr
from ...layers import keys, planes, unrolled
from ...layers.reading import PointTable
from ...running import Run
from .. import mask_files
from . import masking
from .masked import Masked, Points, Withheld
from .masking import MaskingAlgorithm

#: What a mask declares that knows for each point where it could have gone.
SUPPORT = private(
    "SUPPORT",
    mark("Where points could have gone"),
    mark("For each released record the area in which its point could have come to lie."),
    "polygon",
    [Field(keys.ORIGINAL, "long")],
    mark("The areas lie round the true places, which can be computed from them."),
    styling.SUPPORT,
)
#: Below this length on the ground of a metre of the plane, it is told.
_TRUE = 0.95
#: Places that lie so near (metres) are likely to be one home; the sentences say it.
_SAME_HOME_M = 1.0
#: Inputs of masks beside the address list that the attack takes, too.
_PUBLIC = (
    *("ZONES", "AVOID", "POPULATION", "POPULATION_FIELD", "RASTER"),
    *("STREETS", "CROSSINGS"),
)
_SECRET, _SECRET_FILE, _WITHHELD = "SECRET", "SECRET_FILE", "WITHHELD"


def outputs(
    *own: Output, kinds: str = "", numbers: tuple[Value, ...] = ()
) -> tuple[Output | Value, ...]:
    """Declare what these masks put out; takes what :func:`.masking.outputs` does."""
    return masking.outputs(
        *own,
        private(
            _WITHHELD,
            mark("Withheld records"),
            mark("The records that could not be masked, at their places, and why."),
            "point",
            [Field(keys.ORIGINAL, "long"), Field("why", "string")],
            role=styling.WITHHELD,
        ),
        private(
            mask_files.MASK,
            mark("Mask file"),
            mark(
                "How points were moved: law, parameters, fingerprints of the public layers, what "
                "the secret is called by, and how many records were withheld."
            ),
            "json",
            more=mark("It holds no secret and no place of a record."),
        ),
        private(
            _SECRET_FILE,
            mark("Secret file"),
            mark(
                "The secret by which points moved, and where places were put. Give it as SECRET "
                "when you release the same people again: each then stands where it stood. Without "
                "it they are drawn anew, and two releases together tell more than each."
            ),
            "json",
            more=mark("Whoever has it undoes the mask. Keep it as you keep the data."),
        ),
        kinds=kinds,
        numbers=(
            *numbers,
            Value(
                "WITHHELD_COUNT",
                mark("Records withheld"),
                mark("Those that the mask could not move, and that are not released."),
            ),
        ),
    )


def secret_parameter():
    """Return the parameter for the secret file of an earlier release."""
    return parameters.file_source(
        _SECRET,
        tr("Secret file of an earlier release"),
        tr(
            "The private file that the last release wrote as SECRET_FILE. Who was released before "
            "then stays where he was put, whoever else is in the layer now, and also where public "
            "layers (an address list, streets, zones) have changed; parameters have to be the "
            "same. A place is known by its coordinates, to the millimetre. Leave empty for a new "
            "secret from the operating system, and keep the file that is written."
        ),
        tr("JSON files (*.json)"),
    )


def used_layer(name: str, source, *of_each: np.ndarray) -> UsedLayer:
    """Return what a mask file tells of a layer; see :func:`.pointmask.fingerprint`."""
    digest = pointmask.fingerprint(*of_each)
    return UsedLayer(name, source.sourceName(), len(of_each[0]), digest)


def hull_round(places: np.ndarray) -> np.ndarray:
    """Return the convex hull of some places of the plane for SUPPORT, with a width in any case."""
    ring = convex_hull(places)
    if len(ring) > 2:
        return ring
    geos = shapely()  # one place, or all on a line
    shape = geos.convex_hull(geos.multipoints(places))
    shape = geos.buffer(shape, max(1.0, 0.01 * float(geos.length(shape))))
    return convex_hull(geos.get_coordinates(shape))


def posterior_attack(run: Run, groups: bool = False) -> str:
    """Return the next step, the attack on the mask, with what the two have in common.

    ``groups`` says whether the secret file keeps groups, which the strongest adversary knows.
    """
    released, mask, key = (run.place_of(name) for name in ("OUTPUT", mask_files.MASK, "KEY"))
    given = [name for name in _PUBLIC if run.has(name)]
    secret = run.place_of(_SECRET_FILE) or tr("the secret file")
    return tr(
        "Run “Posterior attack on a point mask” (geoanon:attackmask) with INPUT={released}, "
        "MASK={mask}, KEY={key}{same} and CANDIDATES=an address list: who lives there, and which "
        "record is hers?"
    ).format(
        released=released or tr("the masked points"),
        mask=mask or tr("the mask file (MASK, to be asked for)"),
        key=key or tr("the key (KEY, to be asked for)"),
        same=(tr(", SECRET_FILE={secret}").format(secret=secret) if groups else "")
        + (tr(", the same {names}").format(names=", ".join(given)) if given else ""),
    )


def read_places(
    points: Points, run: Run, name: str, step: str, fields: Sequence[str] = (), least: int = 1
) -> tuple[PointTable, np.ndarray]:
    """Read a public layer of places, such as an address list, into the plane of the points.

    Returns
    -------
    table : PointTable
        In the system of the points.
    xy : (m, 2) array
    """
    source = run.source(name)
    table = run.points(source, run.step(step), fields, points.table.crs, least)
    return table, points.plane.forward(table.xy, run.outputs.ask)


class KeptMaskingAlgorithm(MaskingAlgorithm):
    """Base of the point masks that move a place in the same way in every release.

    ``BY_PLACE`` says whether each place is moved by itself, however near another one is.
    """

    BY_PLACE = True
    OUTPUTS = outputs()

    def own_inputs(self):
        """The mask's own parameters, and the secret."""
        return [*self.mask_inputs(), secret_parameter()]

    def mask_inputs(self) -> list:
        """Return the parameters of the mask."""
        return []

    def placed(self, table, run):
        """Return the points in the plane of the secret, or in a new one."""
        if not len(table):
            raise InputError(
                tr(
                    "There is no record with a usable place to be masked. Choose another layer, or "
                    "select features with places."
                )
            )
        crs = keys.crs_text(table.crs) or ""
        path = run.path(_SECRET)
        if path:
            secret = secretfile.read(path)
            if secret.crs != crs:
                raise InputError(
                    mark(
                        "The secret file belongs to points in {theirs}, and these are in {crs}: "
                        "their places would not be known again. Reproject the layer, or leave "
                        "SECRET empty."
                    ),
                    theirs=secret.crs or mark("no reference system"),
                    crs=crs or mark("no reference system"),
                )
            plane = plane_at(planes.wkt(table.crs), secret.centre)
            run.tell(tr("The secret {id} of an earlier release is used.").format(id=secret.id))
        else:
            plane = planes.plane_of(table.xy, table.crs)
            secret = SecretFile.new(crs, plane.centre)
        points = Points.of(table, plane, run.step("project"), secret)
        if self.BY_PLACE:
            away = _gaps(points, points.xy, run.outputs.ask)
            _warn_of_near_places(away, run)
            points = replace(points, closest=float(away.min()) if len(away) else None)
        shortest = shortest_metre(plane, points.xy)
        if shortest < _TRUE:
            run.warn(
                tr(
                    "Some records lie so far from the middle of the plane, which belongs to the "
                    "secret, that a metre of the mask is {metres:.2f} m on the ground there: they "
                    "move less than was asked for. Mask them by themselves, with a secret of their "
                    "own."
                ).format(metres=shortest)
            )
        return points

    def write_private(self, points, masked, attributes, run):
        """Write who was withheld, how points moved, and the secret."""
        withheld, way, secret = masked.withheld, masked.way, points.secret
        kind = withheld.kind
        named = keys.originals_of(points.table, run.field("ID_FIELD", run.source("INPUT")))
        _write_withheld(points, withheld, named, run)
        if masked.support is not None and run.outputs.wanted(SUPPORT.name):
            _write_support(points, masked, named, run)
        counts = dict(zip((word for word, _ in withheld.reasons), withheld.counts))
        made = PointMask(
            self.name(),
            way.law,
            way.parameters,
            secret.crs,
            secret.centre,
            secret.id,
            tuple(way.layers),
            {
                "records": len(kind),
                "released": int(np.count_nonzero(kind == 0)),
                **{f"withheld: {word}": count for word, count in counts.items()},
            },
            tuple(attributes),
            mask_files.released_files(run.outputs) if run.outputs.wanted(mask_files.MASK) else (),
        )
        if not way.stays and secret.other_use(self.NAME, made.way()):
            run.warn(
                tr(
                    "With this secret the mask moved points in another way before: its parameters "
                    "or a public layer are others now. Places for which that makes a difference "
                    "are put elsewhere, and the earlier release and this one together tell more than "
                    "each. Give the same parameters and layers to keep every point."
                )
            )
        if run.outputs.wanted(mask_files.MASK):
            run.outputs.fill_file(mask_files.MASK, lambda path: pointmask.write(made, path))
        kept = masked.kept(secret) if masked.kept is not None else secret
        if run.outputs.wanted(_SECRET_FILE):
            used = kept.with_use(self.NAME, made.way())
            run.outputs.fill_file(_SECRET_FILE, lambda path: secretfile.write(used, path))
        elif run.path(_SECRET) and kept.kept != secret.kept:
            run.warn(
                tr(
                    "Where newcomers were put is not kept (SECRET_FILE): released once more, they "
                    "may be drawn anew, and the two releases together tell more than each. Ask for "
                    "SECRET_FILE, and give that one next time."
                )
            )
        elif way.drawn and not run.path(_SECRET):
            run.warn(
                tr(
                    "The secret of this release is not kept (SECRET_FILE): the same people, "
                    "released once more, will be drawn anew, and the two releases together tell "
                    "more than each. Ask for SECRET_FILE if there will be another release."
                )
            )


def near_places(points: Points, xy: np.ndarray, progress: Progress) -> int:
    """Return how many places of the plane lie less than a metre from another one.

    Parameters
    ----------
    points : Points
        Whose plane it is; none do where nothing is known of its unit.
    xy : (m, 2) array
    progress : Progress
    """
    return _near(_gaps(points, xy, progress))


def _gaps(points: Points, xy: np.ndarray, progress: Progress) -> np.ndarray:
    """Metres from each of some places to the nearest other one; nothing of a single one."""
    found = places(xy).xy
    if not points.table.crs.isValid() or len(found) < 2:
        return np.empty(0)
    return nearest_neighbours(found, progress)[1] * points.plane.metres_per_unit


def _near(away: np.ndarray) -> int:
    return int(np.count_nonzero(away < _SAME_HOME_M))


def _warn_of_near_places(away: np.ndarray, run: Run) -> None:
    """Say that records of one home are moved apart if their coordinates are not quite the same."""
    near = _near(away)
    if near:
        run.warn(
            tr(
                "{places} less than 1 m from another one. Each is moved by itself: if they are one "
                "home, its points lie round it, and their middle is near it. Give the records of "
                "one home the same coordinates, to the last digit."
            ).format(places=number_of(near, "place lies", "places lie"))
        )


def _write_withheld(points: Points, withheld: Withheld, named: keys.Originals, run: Run) -> None:
    if not run.outputs.wanted(_WITHHELD):
        return
    rows = np.flatnonzero(withheld.kind)
    named = named.taken(rows)
    words = ["", *(word for word, _ in withheld.reasons)]
    why = [words[one] for one in withheld.kind[rows].tolist()]
    run.outputs.add_points(
        _WITHHELD,
        points.table.xy[rows],
        [named.field, "why"],
        [named.ids, why],
        points.table.crs,
    )


def _write_support(points: Points, masked: Masked, named: keys.Originals, run: Run) -> None:
    rows = np.flatnonzero((masked.withheld.kind == 0) & masked.of_now)
    making = run.outputs.next_share()
    rings = masked.support(rows)
    # Python's own values, which alone a feature takes: feature ids come as an array.
    ids = named.taken(rows).ids[:]
    ids = ids.tolist() if isinstance(ids, np.ndarray) else ids
    polygons = unrolled.ring_polygons(rings, points.plane, points.west, making)
    run.outputs.add_features(
        SUPPORT.name,
        QgsWkbTypes.Type.MultiPolygon,
        [named.field],
        ((unrolled.multipolygon(one), (ident,)) for one, ident in zip(polygons, ids)),
        points.table.crs,
        run.outputs.ask,
        count=len(rows),
    )
