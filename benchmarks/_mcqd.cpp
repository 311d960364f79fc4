// SPDX-License-Identifier: GPL-2.0-or-later
// MaxCliqueDyn ("MCQD"), re-implemented for the benchmark from its publication: Konc & Janezic (2007),
// "An improved branch and bound algorithm for the maximum clique problem", MATCH Commun. Math. Comput.
// Chem. 58:569-590; T_limit = 0.025. Adjacency is a bit matrix. Not the authors' own program.
//
// Reads: int64 n, int64 words, n rows of so many uint64. Optional second argument: limit of steps.
// Prints: size, seconds of the search (reading is not counted), steps, whether it came to its end.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

typedef std::vector<int> Ints;

static int n, words, level = 1;
static std::vector<uint64_t> rows;
static Ints clique, best;
static std::vector<Ints> classes;
static std::vector<long long> steps_at, steps_before;
static long long steps = 1, limit = 0;
static bool stopped = false;

static inline bool joined(int a, int b) { return rows[(size_t)a * words + (b >> 6)] >> (b & 63) & 1; }

static bool conflicts(int v, const Ints &members) {
    for (int u : members)
        if (joined(v, u)) return true;
    return false;
}

static void colour_sort(Ints &vertices, Ints &colours) {
    int kept = 0, most = 1;
    const int least = std::max(1, (int)best.size() - (int)clique.size() + 1);
    classes[1].clear();
    classes[2].clear();
    for (size_t i = 0; i < vertices.size(); i++) {
        int v = vertices[i], k = 1;
        while (conflicts(v, classes[k])) k++;
        if (k > most) {
            most = k;
            classes[most + 1].clear();
        }
        classes[k].push_back(v);
        if (k < least) vertices[kept++] = v;
    }
    if (kept > 0) colours[kept - 1] = 0;
    for (int k = least; k <= most; k++)
        for (int v : classes[k]) {
            vertices[kept] = v;
            colours[kept++] = k;
        }
}

static void degree_sort(Ints &vertices) {
    std::vector<std::pair<int, int>> order;
    for (int v : vertices) {
        int degree = 0;
        for (int u : vertices) degree += joined(v, u);
        order.push_back({-degree, v});
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const std::pair<int, int> &a, const std::pair<int, int> &b) { return a.first < b.first; });
    for (size_t i = 0; i < vertices.size(); i++) vertices[i] = order[i].second;
}

static void expand(Ints vertices, Ints colours) {
    steps_at[level] += steps_at[level - 1] - steps_before[level];
    steps_before[level] = steps_at[level - 1];
    while (!vertices.empty()) {
        if ((int)clique.size() + colours[vertices.size() - 1] <= (int)best.size()) return;
        const int v = vertices.back();
        clique.push_back(v);
        Ints left;
        for (size_t i = 0; i + 1 < vertices.size(); i++)
            if (joined(v, vertices[i])) left.push_back(vertices[i]);
        steps++;
        if (!left.empty()) {
            if ((double)steps_at[level] / steps < 0.025) degree_sort(left);
            Ints left_colours(left.size());
            colour_sort(left, left_colours);
            steps_at[level]++;
            level++;
            expand(left, left_colours);
            level--;
        } else if (clique.size() > best.size()) {
            best = clique;
        }
        clique.pop_back();
        if (stopped || (limit && steps > limit)) {
            stopped = true;
            return;
        }
        vertices.pop_back();
        colours.pop_back();
    }
}

int main(int count, char **arguments) {
    int64_t head[2];
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : nullptr;
    if (!file || fread(head, 8, 2, file) != 2) return 1;
    n = (int)head[0];
    words = (int)head[1];
    rows.resize((size_t)n * words);
    if (fread(rows.data(), 8, rows.size(), file) != rows.size()) return 1;
    fclose(file);
    limit = count > 2 ? atoll(arguments[2]) : 0;

    const auto start = std::chrono::steady_clock::now();
    Ints vertices(n), colours(n), degree(n, 0);
    for (int v = 0; v < n; v++) {
        vertices[v] = v;
        for (int w = 0; w < words; w++) degree[v] += __builtin_popcountll(rows[(size_t)v * words + w]);
    }
    std::stable_sort(vertices.begin(), vertices.end(), [&](int a, int b) { return degree[a] > degree[b]; });
    const int widest = n ? degree[vertices[0]] : 0;
    for (int i = 0; i < n; i++) colours[i] = std::min(i, widest) + 1;
    classes.resize(n + 3);
    steps_at.assign(n + 2, 0);
    steps_before.assign(n + 2, 0);
    if (n) expand(vertices, colours);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("%zu %.6f %lld %d\n", best.size(), seconds, steps, (int)!stopped);
    return 0;
}
