# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:spectralanonymize."""

from __future__ import annotations

import numpy as np

from ...core.microdata.in_units import in_units
from ...core.microdata.observations import observed_table
from ...core.microdata.release import anonymize
from ...core.microdata.rules import found_rules
from ...core.microdata.utility import utility
from ...core.runtime.errors import InputError
from ...core.runtime.progress import weighted
from ...core.verdict import not_tested
from .. import literature, styling, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Field, Value, release, reports
from ..families import (
    anonymised,
    anonymising,
    beside,
    field_rules,
    microdata,
    number_ranges,
    several_records,
)
from ..families.day_numbers import is_date, with_kinds
from ..i18n import mark, tr, translated
from ..layers import attributes, keys, planes
from ..layers.areas import study_area
from ..reports import spectralanonymize as reporting
from ..reports.common import Context
from ..running import Result


class SpectralAnonymizeAlgorithm(GeoAnonAlgorithm):
    """Anonymise the attributes of records, and their places if wanted."""

    NAME = "spectralanonymize"
    DISPLAY_NAME = mark("Spectral anonymization")
    GROUP = "microdata"
    TAGS = mark(
        "privacy, anonymise, anonymize, microdata, synthetic data, data swapping, data shuffling, "
        "additive noise, microaggregation, principal components, SVD, confidential, sensitive, "
        "deidentify, de-identify, pseudonymize, pseudonymise, perturb, GDPR, HIPAA"
    )
    SHORT_DESCRIPTION = mark(
        "Anonymises a table of attributes, with places if wanted, along its principal axes: means, "
        "variances and correlations stay, records do not."
    )
    HELP = Help(
        what=mark(
            "Attributes that are harmless one by one identify a person together. Here the whole "
            "table is anonymised, every field that is released among it.\n\n"
            "Fields become columns of numbers: positive ones are taken as logarithms, numbers are "
            "standardised, categories become a column each. The table is then turned into its "
            "principal axes (singular value decomposition). spectral_swapping permutes the records "
            "along each axis by itself: means stay exactly, variances and correlations nearly, and "
            "no released record has an original that it came from. spectral_rhs splits the records "
            "at medians along the axes into groups of K to 2 K similar ones, and releases the mean "
            "of the group for each. The others do without the axes; they are there to compare "
            "with: cell_swapping, rhs, data_shuffling, additive_noise, microaggregation (means of K "
            "to 2 K - 1 similar records, MDAV) and gaussian_copula (new records drawn with the "
            "same rank correlations).\n\n"
            "With USE_GEOMETRY x and y are two more variables, and the result is a synthetic point "
            "layer. They are taken in a metric plane and come back in the layer's own system."
        ),
        when=mark(
            "When others need the relations between attributes, and not the records. Then run "
            "“Disclosure risk of microdata” (geoanon:disclosurerisk), with a second sample as a "
            "reference if there is one, and “Utility of anonymised microdata” "
            "(geoanon:microdatautility)."
        ),
        cautions=(
            mark(
                "A method by itself is no protection. additive_noise protects hardly anyone in a "
                "table of many fields, and rhs releases most records as they are. Measure the risk "
                "of the very table that is to be released."
            ),
            mark(
                "The values of a field remain: that there is somebody with the category that a "
                "single record has, or with an extreme number, is released. cell_swapping and "
                "data_shuffling release every number as it is, coordinates included, in another "
                "order. Merge rare categories first; the log names them."
            ),
            mark(
                "What stays are means, variances and correlations. Relations that are not linear "
                "are blurred: of two towns on the map spectral_swapping makes one long cloud."
            ),
            mark(
                "The key and the seed are secret: whoever has the seed can repeat the run on "
                "guessed data."
            ),
            mark("Release one version only. Two versions of the same table tell more than each."),
        ),
        sources=(literature.LASKO_VINTERBO,),
    )
    REQUIRES = ("scipy",)

    OUTPUTS = (
        release(
            "OUTPUT",
            mark("Anonymised records"),
            mark(
                "The anonymised fields with new ids, in random order; points with USE_GEOMETRY or "
                "MASKED_KEY, else a table without places."
            ),
            "table",
            [Field(keys.RECORD, "long", mark("new, in random order"))],
            mark("CATEGORIES_AS = probabilities gives a field for each category."),
            styling.ANONYMIZED_TABLE,
        ),
        keys.output(
            keys.RECORD,
            mark(
                "Table that leads from the released id back to the original; it measures the "
                "release. It has rows only where records correspond: for the methods that make "
                "each record of one original (spectral_rhs, rhs, additive_noise, microaggregation), "
                "and where points or fields stay as they are."
            ),
            mark("The place is there where places take part."),
        ),
        *reports(
            mark(
                "What was done to which fields, and what it kept of the statistics, with maps of "
                "the originals."
            )
        ),
        Value("N", mark("Records released")),
        Value(
            "COLUMNS",
            mark("Columns of numbers"),
            mark("Columns of numbers that the fields became."),
        ),
        Value("LEFT_OUT", mark("Records left out"), mark("Records left out as they lack a value.")),
        Value(
            "SMALLEST_GROUP",
            mark("Fewest records that share a mean"),
            mark("For spectral_rhs, rhs and microaggregation only."),
        ),
        *verdicts.OUTPUTS,
    )

    STEPS = {
        "read": 8,
        "choose": 2,
        "table": 5,
        "anonymize": 55,
        "write": 10,
        "report": 20,
    }

    def inputs(self):
        """Return what is read."""
        return [
            parameters.table(
                "INPUT",
                tr("Records"),
                tr("The sensitive records: a table, or a layer of any kind."),
            ),
            attributes.parameter(
                tr("Fields to anonymise and release"),
                tr(
                    "Numbers, text, dates or truth values. Leave empty to take those that pass a "
                    "screening: not those that look like ids, names, addresses, contacts, places "
                    "or coordinates, by their name or their values, nor text of which more than a "
                    "tenth of the records have a value that no other has. The log and the report "
                    "list every field, with the reason. No other field is released."
                ),
            ),
            keys.id_parameter(),
            *several_records.of_released(),
            microdata.kinds_parameter(),
            microdata.geometry_parameter(
                tr(
                    "Take x and y as two more variables; the result is a synthetic point layer. "
                    "Without, the result is a table without places."
                )
            ),
            parameters.source(
                "AREA",
                tr("Area that points must lie in"),
                tr(
                    "Polygons, in any reference system: synthetic points that fall outside are "
                    "brought into them. Leave empty for no limit. Needs USE_GEOMETRY."
                ),
                "polygon",
                optional=True,
                only_when={"USE_GEOMETRY": (True,)},
            ),
            *anonymising.inputs(),
            parameters.seed(),
            *beside.inputs(),
        ]

    def check_names(self, given):
        """What stays is released."""
        return beside.not_released(given) or several_records.is_released(given)

    def check(self, given):
        """An area goes with places; noise has a size."""
        places = given.flag("USE_GEOMETRY")
        if given.has("AREA") and not places:
            return tr(
                "An area is given, but places take no part. Turn on USE_GEOMETRY, or leave the "
                "area empty."
            )
        return beside.refusal(given)

    def has_places(self, name, given):
        """Synthetic points, or a table."""
        return name == "OUTPUT" and (given.flag("USE_GEOMETRY") or given.has("MASKED_KEY"))

    def execute(self, run):
        """Read, anonymise, write, report."""
        source = run.source("INPUT")
        places = run.flag("USE_GEOMETRY")
        asked_for = run.fields("FIELDS", source)
        stays = beside.read(run, source)
        id_field = stays.id_name or run.field("ID_FIELD", source)
        everything = source.fields().names()
        person = run.field(several_records.PERSON, source)
        change = {*(asked_for or everything)} - {id_field, person, *stays.names}
        given = microdata.read_kinds(run.text("KINDS"), {*change, *stays.names})
        ranges = number_ranges.read(run.text("RANGES"), change)
        names, unusable = microdata.usable(source.fields())
        wanted = [*(asked_for or names), *(one for one in (id_field, person) if one)]
        with_points = places or stays.is_masked
        records = microdata.read_records(source, run.context, run.step("read"), wanted, with_points)
        run.tell_left_out(records)
        originals, homes = stays.originals(records, id_field, run)
        choice = microdata.choose_fields(
            records,
            asked_for,
            {*given, *stays.names},
            unusable if not person else [*unusable, (person, several_records.never_released())],
            everything,
            run.step("choose"),
            id_field,
        )
        changed = stays.changed(choice)
        given = with_kinds({name: records.columns[name] for name in choice.kept}, given)
        if not choice.kept and not places:
            raise InputError(
                tr("No field is left to anonymise. Choose FIELDS, or a layer that has some.")
            )
        microdata.refuse_taken_names(choice.kept)
        said, inside, place, plane, area = [], None, None, None, None
        people = (
            several_records.of_records(run, records, said, run.step("table")) if person else None
        )
        if places:
            place = microdata.place_names(choice.kept)
            plane = planes.plane_of(records.xy, records.crs)
            said.append(planes.describe(plane, records.crs))
            area = self._area(run, records)
            if area is not None:
                inside = lambda xy: area.contains(plane.inverse(xy))  # noqa: E731
        elif stays.is_masked:
            said.append(tr("Points stay as they were masked."))
        elif microdata.is_point_layer(source):
            said.append(tr("Places take no part, so the release is a table without them."))

        method = run.choice("METHOD")
        of_fields, of_rules = weighted(run.step("anonymize"), 9, int(stays.is_anything))
        table = microdata.table_of(records, changed, plane, place, run.step("table"), given)
        run.warn(*microdata.numbers_as_text(table, records.fields))
        made = anonymize(
            table,
            method,
            run.rng(),
            kinds={name: given[name] for name in changed if name in given},
            k=run.number("K"),
            noise=run.number("NOISE"),
            missing=run.choice("MISSING"),
            categories_as=run.choice("CATEGORIES_AS"),
            place=place,
            inside=inside,
            decoding=run.choice("DECODING"),
            ranges=ranges,
            rules=field_rules.read(run.text("RULES"), changed),
            whose=people,
            progress=of_fields,
        )
        broken = []
        if stays.is_anything:
            made, broken = stays.put_to(made, records, table, given, of_rules)
        said += [microdata.kinds_sentence(made.coding, place or ()), *choice.sentences()]
        if run.outputs.wanted("KEY") and not made.corresponds:
            said.append(
                tr(
                    "The key has no rows: with {method} no released record is made of one "
                    "original, so there is nobody to lead back to."
                ).format(method=method)
            )
        warnings = [*map(tr, made.notes), *choice.warnings(), *broken]
        run.tell(*said)
        run.warn(*warnings)
        released = dict(made.columns)
        xy = None
        if places:
            xy = plane.inverse(np.stack([released.pop(name) for name in place], axis=1))
        elif stays.is_masked:
            xy = records.xy[made.row]
        release, key = (run.place_of(name) for name in ("OUTPUT", "KEY"))
        inputs = microdata.inputs_named(
            tr("the layer that was masked") if stays.is_masked else source.sourceName(),
            release,
            choice.kept,
            run.text("KINDS"),
            xy is not None,
        )
        attack = [f"{several_records.PERSON}={person}"] if person else []
        if stays.is_masked:
            attack.append(tr("MASK=the file of the mask"))
        anonymised.write(run.outputs, made, released, xy, records, originals, homes)

        smallest = None
        if made.group is not None:
            smallest = int(np.bincount(made.group)[made.group].min())

        def report(progress):
            of_coded, of_after, of_kept, of_maps = weighted(progress, 2, 3, 7, 8)
            coded, _ = made.coding.encode(table, of_coded)
            after, _ = made.coding.encode(made.columns, of_after)
            kept = utility(coded, after, [translated(one) for one in made.coding.labels], of_kept)
            about = Context(
                source.sourceName(),
                said,
                records.left_out,
                choice=choice,
                warnings=warnings,
                settings=[
                    *anonymising.settings(run, method),
                    *several_records.settings(people),
                    *stays.settings(),
                ],
            )
            observed = observed_table(table)
            units = in_units(observed, made.columns, made.coding)
            rules = found_rules(observed, made.coding, place or ())
            decoding = run.choice("DECODING")
            told = reporting.Anonymization(
                about,
                method,
                decoding,
                made,
                (coded, after),
                kept,
                units,
                rules,
                place,
                smallest,
                {name for name in table if is_date(source.fields(), name)},
            )
            pictures = []
            if places:
                from ..maps.pictures import anonymization_pictures

                rings = [] if area is None else area.rings
                pictures = anonymization_pictures(records.xy, xy, records.crs, rings, of_maps)
            return reporting.report(told, pictures)

        numbers = {"N": len(made.row), "COLUMNS": made.coding.width, "LEFT_OUT": made.left_out}
        if smallest is not None:
            numbers["SMALLEST_GROUP"] = smallest
        return Result(
            numbers,
            not_tested("original_values", "which_record"),
            reporting.steps(inputs, key if made.corresponds else "", attack),
            report=report,
        )

    def _area(self, run, records):
        """The area that points must lie in; None where there is none."""
        source = run.source("AREA")
        if source is None:
            return None
        area, _, outside = study_area(source, records.xy, records.crs, run.context, run.outputs.ask)
        if outside:
            run.warn(
                tr(
                    "Original points outside the area: {outside:,} of {count:,}. The released ones "
                    "will lie inside. Check that the area is the right one."
                ).format(outside=outside, count=len(records))
            )
        return area
