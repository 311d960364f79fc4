# SPDX-License-Identifier: GPL-2.0-or-later
"""The moves of simulated annealing: who goes to which area, and what that changes.

Two kinds. A region at a border goes to the area beside, and takes along what only it joins to its area
(a town within its county). And a tiny area is joined to the one beside, while a region elsewhere
becomes an area of its own, so that areas can be where they are needed, and are as many as before.
"""

from __future__ import annotations

import math

import numpy as np

from ..runtime import accel

#: Share of the moves that do away with an area and make another one, and most regions of such an area.
_ANEW, _TINY = 0.1, 2
#: Steps to the spatial median after a move, and most regions among which it is looked for, too.
_STEPS, _FEW = 8, 32


@accel.routine
def _leaving(row, own, ground, moving, room, mark):
    """Write down a region and what only it joins to its area but for the largest part; return how many."""
    start, other, area, queue, seen = ground.start, ground.other, moving.area, room.queue, room.seen
    going = room.going[0]
    going[0] = row
    count, beside = 1, 0
    for edge in range(start[row], start[row + 1]):
        if area[other[edge]] == own:
            beside += 1
    waiting, largest_from, largest_to = 0, 0, 0
    seen[row] = mark
    for edge in range(start[row], start[row + 1]):
        first = other[edge]
        if beside < 2 or area[first] != own or seen[first] == mark:
            continue
        begun = waiting
        seen[first] = mark
        queue[waiting] = first
        asked, waiting = waiting, waiting + 1
        left = beside - 1
        while asked < waiting and (begun > 0 or left > 0):
            at = queue[asked]
            asked += 1
            for way in range(start[at], start[at + 1]):
                one = other[way]
                if area[one] == own and seen[one] != mark:
                    seen[one] = mark
                    queue[waiting] = one
                    waiting += 1
            if begun == 0:
                left = 0
                for way in range(start[row], start[row + 1]):
                    if area[other[way]] == own and seen[other[way]] != mark:
                        left += 1
        if waiting - begun > largest_to - largest_from:
            largest_from, largest_to = begun, waiting
    for at in range(waiting):
        if at < largest_from or at >= largest_to:
            going[count] = queue[at]
            count += 1
    return count


@accel.routine
def _allowed(turn, count, own, goal, ground, moving, room, is_new, dissolves):
    """Whether regions may go from an area to another, or make a new one, by what areas must keep."""
    going = room.going[turn]
    people, size = 0.0, 0.0
    for at in range(count):
        people += ground.people[going[at]]
        size += ground.size[going[at]]
    kept = True
    if not dissolves and (
        moving.members[own] <= count or (people > 0 and moving.records[own] <= people)
    ):
        kept = False
    for floor in range(ground.least.shape[0]):
        amount = 0.0
        for at in range(count):
            amount += ground.weight[floor, going[at]]
        if not dissolves and amount > 0 and moving.held[floor, own] - amount < ground.least[floor]:
            kept = False
        if is_new and amount < ground.least[floor]:
            kept = False
    if is_new:
        kept = kept and people > 0
    elif moving.measured[goal] + size > ground.largest:
        kept = False
    return kept


@accel.routine
def _narrow(turn, count, goal, ground, moving, room):
    """Whether an area is not too wide with further regions."""
    kept = True
    if ground.most < np.inf:
        for at in range(count):
            row = room.going[turn, at]
            one = moving.head[goal]
            while one >= 0 and kept:
                x = ground.xy[row, 0] - ground.xy[one, 0]
                y = ground.xy[row, 1] - ground.xy[one, 1]
                kept = math.sqrt(x * x + y * y) <= ground.most
                one = moving.after[one]
    return kept


@accel.routine
def _weigh(turn, count, own, goal, ground, moving, room, is_new):
    """Work out what the state changes by when regions go; a new area begins with nothing."""
    change = room.change[turn]
    change[0] = change[1] = change[2] = 0.0
    people, kinds, k = 0.0, 0, ground.k
    single = count == 1
    for at in range(count):
        row = room.going[turn, at]
        people += ground.people[row]
        x, y = ground.xy[row, 0], ground.xy[row, 1]
        if not is_new:
            over, up = x - moving.sites[goal, 0], y - moving.sites[goal, 1]
            change[1] += math.sqrt(over * over + up * up)
        over, up = x - moving.sites[own, 0], y - moving.sites[own, 1]
        change[1] -= math.sqrt(over * over + up * up)
        for cell in range(ground.indptr[row], ground.indptr[row + 1]):
            number, more = ground.indices[cell], ground.data[cell]
            if not single:
                if room.more[number] == 0:
                    room.touched[kinds] = number
                    kinds += 1
                room.more[number] += more
                continue
            here = moving.table[own, number]
            there = 0 if is_new else moving.table[goal, number]
            change[0] -= (here if here < k else 0) + (there if there < k else 0)
            here, there = here - more, there + more
            change[0] += (here if here < k else 0) + (there if there < k else 0)
    for at in range(kinds):
        number = room.touched[at]
        here = moving.table[own, number]
        there = 0 if is_new else moving.table[goal, number]
        change[0] -= (here if here < k else 0) + (there if there < k else 0)
        here, there = here - room.more[number], there + room.more[number]
        change[0] += (here if here < k else 0) + (there if there < k else 0)
        room.more[number] = 0
    if people > 0:
        left, joined = moving.records[own], 0.0 if is_new else moving.records[goal]
        for sign in (-1.0, 1.0):
            for held in (left, joined):
                if held > 0:
                    change[2] += sign * held * math.log2(held)
            left, joined = left - people, joined + people


@accel.routine
def _shift(turn, count, own, goal, ground, moving, room):
    """Have regions go from an area to another."""
    for at in range(count):
        row = room.going[turn, at]
        for cell in range(ground.indptr[row], ground.indptr[row + 1]):
            moving.table[own, ground.indices[cell]] -= ground.data[cell]
            moving.table[goal, ground.indices[cell]] += ground.data[cell]
        last, following, first = moving.before[row], moving.after[row], moving.head[goal]
        if last >= 0:
            moving.after[last] = following
        else:
            moving.head[own] = following
        if following >= 0:
            moving.before[following] = last
        if first >= 0:
            moving.before[first] = row
        moving.before[row], moving.after[row], moving.head[goal] = -1, first, row
        moving.area[row] = goal
        for sign, one in ((-1.0, own), (1.0, goal)):
            moving.records[one] += sign * ground.people[row]
            moving.measured[one] += sign * ground.size[row]
            for floor in range(ground.least.shape[0]):
                moving.held[floor, one] += sign * ground.weight[floor, row]
        moving.members[own] -= 1
        moving.members[goal] += 1


@accel.routine
def _distances(x, y, area, ground, moving, pull, floor):
    """Sum the distances of an area's regions to a place, or find where they pull a site to."""
    total, across, along = 0.0, 0.0, 0.0
    row = moving.head[area]
    while row >= 0:
        over, up = ground.xy[row, 0] - x, ground.xy[row, 1] - y
        gap = math.sqrt(over * over + up * up)
        if pull:
            share = 1.0 / max(gap, floor)
            total += share
            across += share * ground.xy[row, 0]
            along += share * ground.xy[row, 1]
        else:
            total += gap
        row = moving.after[row]
    return total, across, along


@accel.routine
def _recentre(area, ground, moving):
    """Put an area's site where the distances of its regions add up to least, or near to it."""
    x, y = moving.sites[area, 0], moving.sites[area, 1]
    best = _distances(x, y, area, ground, moving, False, 0.0)[0]
    # First their mean (so far away all pull alike), then Weiszfeld's steps (1937), last the regions.
    floor = 1e150
    for _ in range(_STEPS + 1):
        total, across, along = _distances(x, y, area, ground, moving, True, floor)
        x, y = across / total, along / total
        length = _distances(x, y, area, ground, moving, False, 0.0)[0]
        if length < best:
            best = length
            moving.sites[area, 0], moving.sites[area, 1] = x, y
        if best == 0:
            break
        floor = 1e-9 * best
    row = moving.head[area] if moving.members[area] <= _FEW else -1
    while row >= 0:
        length = _distances(ground.xy[row, 0], ground.xy[row, 1], area, ground, moving, False, 0.0)[
            0
        ]
        if length < best:
            best = length
            moving.sites[area, 0], moving.sites[area, 1] = ground.xy[row, 0], ground.xy[row, 1]
        row = moving.after[row]
    moving.state[1] += best - moving.length[area]
    moving.length[area] = best


@accel.kernel
def move(draws, budget, ground, moving, room, weight, limit, price, stamp):
    """Try moves, and make those that cost no more than their budget.

    Parameters
    ----------
    draws : (3, t) array
        From 0 to 1: the region, its neighbour, and the kind of each move.
    budget : (t,) array
        What each may cost.
    ground, moving, room
        ``moving`` is changed.
    weight, limit : (3,) arrays
        By which areas are the best: those within the limits of least weight.
    price : (3,) array
        What a unit of each part of the state costs.
    stamp : int
        Above all that was given before by ``t`` at the least.
    """
    regions = moving.area.shape[0]
    goals, owns, counts = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    for turn in range(budget.shape[0]):
        row = int(draws[0, turn] * regions)
        near = ground.start[row + 1] - ground.start[row]
        own = moving.area[row]
        anew = draws[2, turn] < _ANEW
        if near == 0 or (moving.members[own] > _TINY if anew else moving.members[own] < 2):
            continue
        goal = moving.area[ground.other[ground.start[row] + int(draws[1, turn] * near)]]
        if goal == own:
            continue
        mark = stamp + turn
        owns[0], goals[0] = own, goal
        if anew:
            # The tiny area goes to the one beside; another region takes its name.
            row = int(draws[2, turn] / _ANEW * regions)
            owns[1], goals[1], counts[1] = moving.area[row], own, 1
            if owns[1] == own or owns[1] == goal:
                continue
            if _leaving(row, owns[1], ground, moving, room, mark) > 1:
                continue
            room.going[1, 0] = row
            one, counts[0] = moving.head[own], 0
            while one >= 0:
                room.going[0, counts[0]] = one
                counts[0] += 1
                one = moving.after[one]
        else:
            counts[0] = _leaving(row, own, ground, moving, room, mark)
        kept = True
        for part in range(2 if anew else 1):
            if kept:
                kept = _allowed(
                    part,
                    counts[part],
                    owns[part],
                    goals[part],
                    ground,
                    moving,
                    room,
                    part == 1,
                    anew and part == 0,
                )
        if not kept:
            continue
        cost = 0.0
        for part in range(2 if anew else 1):
            _weigh(part, counts[part], owns[part], goals[part], ground, moving, room, part == 1)
            for one in range(3):
                cost += price[one] * room.change[part, one]
        if cost > budget[turn] or not _narrow(0, counts[0], goal, ground, moving, room):
            continue
        for part in range(2 if anew else 1):
            _shift(part, counts[part], owns[part], goals[part], ground, moving, room)
            moving.state[0] += room.change[part, 0]
            moving.state[2] += room.change[part, 2]
        for part in range(3 if anew else 2):
            _recentre(own if part == 0 else goals[0] if part == 1 else owns[1], ground, moving)
        now = best = 0.0
        kept = True
        for one in range(3):
            now += weight[one] * moving.state[one]
            best += weight[one] * moving.best_state[one]
            kept = kept and moving.state[one] <= limit[one]
        if kept and now < best:
            moving.best_state[:] = moving.state
            moving.best_area[:] = moving.area
            moving.best_sites[:] = moving.sites
