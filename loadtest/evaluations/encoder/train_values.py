"""Trains the network of `src/language/value-encoder.ts`; README.md says how and what came of it.

Reads what main.ts wrote into .data/encoder and writes config/value-encoder.bin and .json.
Python 3.11 or later with jax==0.10.2 and numpy==2.4.6.

Shapes: B texts, L places of pieces, W numbers of a vector (--width), V values of a kind, G groups:
the attributes of a kind, of which one value or none is said, and each of its features.
"""
import argparse
import json
import math
import random
import re
import time
from collections import defaultdict

import jax
import jax.numpy as jnp
import numpy as np
from train import (EVEN, HASH_BEFORE, HASH_BEHIND, HASH_OWN, OWN, PAIRS, ROOT, SEED, TRIPLES,
                   convolved, embedded, normed, rate_at, rounded, stepped_by)

WRITTEN = ROOT / 'config/value-encoder'
# Texts of a round of training, and how many of them are labelled lines.
ROUND, LINES = 100_000, .15
# Texts of up to so many pieces are trained on together, so many at once.
BATCHES = {8: 512, 14: 384, 24: 256, 48: 128}
LENGTH_MAX = max(BATCHES)
VALUES_MAX, GROUPS_MAX, NAME_MAX = 64, 32, 8
# How much it counts that nothing is said of a group.
NONE = .5
KEPT_PLACES, KEPT_NUMBERS = .93, .9
RATE = 4e-3
BLIND = re.compile(r'(39|4\d|development-13)/')
FIGURES = {'development-13': 'development-13', 'rounds': r'\d'}
THRESHOLDS = (.5, .7, .9)
# Its shares of texts: the phrase alone, with the name of the goods; others have a line besides.
ALONE, NAMED = .25, .3
SECOND = .3


class Kind:
    """The values of a kind: groups of their numbers, and the group of each."""
    def __init__(self, groups, names):
        self.groups = [one['ids'] for one in groups]
        self.names = [name for name in names if name] or [[]]
        self.group_of = {one: at for at, ids in enumerate(self.groups) for one in ids}

    def example(self, chance, pieces, wanted, unsure):
        """A text with what it says of the groups: (pieces, values, groups, wanted, weights)."""
        order = list(range(len(self.groups)))
        if len(order) > GROUPS_MAX or len(self.group_of) > VALUES_MAX:
            chance.shuffle(order)
            order.sort(key=lambda at: at not in wanted)
        values, groups, is_wanted, weights = [], [], [], []
        for at in order:
            ids = self.groups[at]
            if len(values) + len(ids) > VALUES_MAX or len(weights) == GROUPS_MAX:
                continue
            values += ids
            groups += [len(weights)] * len(ids)
            is_wanted += [one in wanted.get(at, ()) for one in ids]
            weights.append(1 if at in wanted else 0 if at in unsure else NONE)
        return pieces[:LENGTH_MAX], values, groups, is_wanted, weights


class Texts:
    """Examples made of phrases, names and lines."""
    def __init__(self, known, is_held_out):
        self.chance = random.Random(SEED)
        self.kinds = {name: Kind(**one) for name, one in known['kinds'].items()}
        self.phrases, self.said = [], defaultdict(list)
        for one in map(json.loads, (OWN / 'value-phrases.jsonl').open(encoding='utf8')):
            if one['pieces']:
                self.phrases.append((one['pieces'], one['of']))
                for value in {value for _, values in one['of'] for value in values}:
                    self.said[value].append(one['pieces'])
        self.lines, self.held, self.of_kind = [], [], defaultdict(list)
        for one in map(json.loads, (OWN / 'value-lines.jsonl').open(encoding='utf8')):
            if not one['pieces']:
                continue
            line = {**one, 'wanted': {at: set(ids) for at, ids in one['wanted']}}
            if is_held_out(one['set']):
                self.held.append(line)
            else:
                self.lines.append(line)
                self.of_kind[one['kind']].append(line)
        pieces = {piece: at + 2 for at, piece in enumerate(known['pieces'])}
        self.joints = [[pieces[one]] for one in (',', '的', '要')] + [[]]

    def line(self):
        one = self.chance.choice(self.lines)
        return self.kinds[one['kind']].example(
            self.chance, one['pieces'], one['wanted'], one['unsure'])

    def phrase(self):
        """A way to say a value: alone, with the name of the goods, or with a line about them."""
        chance = self.chance
        pieces, of = chance.choice(self.phrases)
        name, ids = chance.choice(of)
        kind, parts, wanted, unsure = self.kinds[name], [pieces], defaultdict(set), set()
        for one in ids:
            wanted[kind.group_of[one]].add(one)
        if chance.random() < SECOND:
            at = chance.randrange(len(kind.groups))
            one = chance.choice(kind.groups[at])
            if at not in wanted and self.said[one]:
                parts.append(chance.choice(self.said[one]))
                wanted[at].add(one)
        sort = chance.random()
        if sort >= ALONE:
            self.put(parts, chance.choice(kind.names))
        if sort >= ALONE + NAMED:
            own = self.of_kind.get(name)
            if own and chance.random() < .8:
                line = chance.choice(own)
                unsure = {*line['unsure'], *line['wanted']}
            else:
                line = chance.choice(self.lines)
                if chance.random() < .7:
                    unsure = set(range(len(kind.groups)))
            cut = chance.randrange(len(line['pieces'])) + 1 if chance.random() < .3 else 24
            self.put(parts, line['pieces'][:cut])
        return kind.example(chance, self.joined(parts), wanted, unsure - wanted.keys())

    def put(self, parts, part):
        parts.insert(self.chance.randrange(len(parts) + 1), part)

    def joined(self, parts):
        found = list(parts[0])
        for part in parts[1:]:
            found += self.chance.choices(self.joints, (50, 15, 10, 25))[0] + part
        return found

    def batches(self):
        """The texts of one round, in batches of texts of like length."""
        by_length = {length: [] for length in BATCHES}
        for _ in range(ROUND):
            one = self.line() if self.chance.random() < LINES else self.phrase()
            by_length[next(length for length in BATCHES if len(one[0]) <= length)].append(one)
        found = [(length, texts[at:at + size])
                 for length, size in BATCHES.items() for texts in [by_length[length]]
                 for at in range(0, len(texts) - size + 1, size)]
        self.chance.shuffle(found)
        return found


def arrays_of(texts, length):
    """Pieces [B, L]; of values [B, V] numbers, groups (-1 behind the last) and whether they are
    wanted; of groups [B, G] what they count, and whether a value of theirs is wanted."""
    count = len(texts)
    pieces = np.zeros((count, length), np.int32)
    values, groups = np.zeros((count, VALUES_MAX), np.int32), np.full((count, VALUES_MAX), -1)
    is_wanted = np.zeros((count, VALUES_MAX), bool)
    weights, has_wanted = np.zeros((2, count, GROUPS_MAX), np.float32)
    for at, (own, ids, of, wanted, counts) in enumerate(texts):
        pieces[at, :len(own)] = own
        values[at, :len(ids)], groups[at, :len(ids)] = ids, of
        is_wanted[at, :len(ids)] = wanted
        weights[at, :len(counts)] = counts
        for group, is_one in zip(of, wanted):
            has_wanted[at, group] = max(has_wanted[at, group], is_one)
    return pieces, values, groups, is_wanted, weights, has_wanted


def start(pieces, values, width):
    """Weights to begin with, at random."""
    chance = np.random.default_rng(SEED)

    def normal(rows, scale):
        return jnp.asarray(chance.normal(0, scale, (rows, width)), jnp.float32)
    return {
        'pieces': normal(pieces, .3), 'pairs': normal(PAIRS + 1, .05),
        'triples': normal(TRIPLES + 1, .05),
        'first': normal(3 * width, (3 * width) ** -.5), 'first_bias': jnp.zeros(width),
        'second': normal(3 * width, (3 * width) ** -.5), 'second_bias': jnp.zeros(width),
        'values': normal(values, .1), 'values_bias': jnp.zeros(values),
        # What the words of a value themselves give.
        'words': .5 * jnp.eye(width), 'scale': jnp.float32(2), 'none': jnp.float32(2),
    }


def rows_of(weights, pieces, key=None):
    """What each piece and its neighbours say [B, L, W], and where there are pieces [B, L, 1]."""
    mask = (pieces > 0)[..., None].astype(jnp.float32)
    x = embedded(weights, pieces)
    if key is not None:
        of_places, of_numbers = jax.random.split(key)
        kept = jax.random.bernoulli(of_numbers, KEPT_NUMBERS, (len(x), 1, x.shape[-1]))
        x = x * jax.random.bernoulli(of_places, KEPT_PLACES, mask.shape) * kept / KEPT_NUMBERS
    x = normed(x) * mask
    x = (x + convolved(x, weights['first'], weights['first_bias'])) * mask
    x = (x + convolved(normed(x) * mask, weights['second'], weights['second_bias'])) * mask
    return normed(x), mask


def vectors_of(weights, values, words):
    """Vectors [.., W] of values: their own, and the mean of those of their words."""
    own = words[values]
    is_word = (own > 0)[..., None]
    mean = (weights['pieces'][own] * is_word).sum(-2) / jnp.maximum(is_word.sum(-2), 1)
    width = weights['values'].shape[1]
    return (weights['values'][values] + mean @ weights['words']) * weights['scale'] / width ** .5


def sums_of(weights, pieces, values, words, key=None):
    """How much each value [B, V] is said, at the place that says it most."""
    rows, mask = rows_of(weights, pieces, key)
    products = jnp.einsum('blw,bvw->blv', rows, vectors_of(weights, values, words))
    return (products - 1e9 * (1 - mask)).max(1) + weights['values_bias'][values]


def loss(weights, batch, words, key):
    """How unlikely it is that of each group a wanted value is said, or none."""
    pieces, values, groups, is_wanted, counts, has_wanted = batch
    sums = sums_of(weights, pieces, values, words, key)[:, None]
    is_of = groups[:, None] == jnp.arange(GROUPS_MAX)[:, None]  # [B, G, V]
    every = jnp.logaddexp(
        jax.nn.logsumexp(jnp.where(is_of, sums, -1e9), 2), weights['none'])
    wanted = jax.nn.logsumexp(jnp.where(is_of & is_wanted[:, None], sums, -1e9), 2)
    right = jnp.where(has_wanted > 0, wanted, weights['none']) - every
    return (-(counts * jnp.maximum(right, -30)).sum() / len(pieces)
            + EVEN * (weights['values'] ** 2).sum())


def trained(texts, weights, words, rounds):
    """The weights after so many rounds."""
    stepped = stepped_by(loss)
    nothing = jax.tree.map(jnp.zeros_like, weights)
    state, key, count = (weights, nothing, nothing, jnp.float32(0)), jax.random.key(SEED), 0
    began = time.process_time()
    for number in range(rounds):
        batches, values = texts.batches(), []
        for at, (length, batch) in enumerate(batches):
            count += 1
            key, own = jax.random.split(key)
            rate = rate_at(count, (number + at / len(batches)) / rounds, RATE)
            state, value = stepped(
                state, jnp.float32(rate), arrays_of(batch, length), words, own)
            values.append(value)
        print_figures(f'{number + 1} rounds, {time.process_time() - began:.0f} s, '
                      f'loss {np.mean(values):.3f}', state[0], texts, words)
    return state[0]


def likeliest(weights, texts, words, size=128):
    """Of each held-out line the likeliest value of each group and its chance."""
    read = jax.jit(sums_of)
    found, width = [], max(len(kind.group_of) for kind in texts.kinds.values())
    for begin in range(0, len(texts.held), size):
        lines = texts.held[begin:begin + size]
        pieces, values = np.zeros((size, LENGTH_MAX), int), np.zeros((size, width), int)
        for at, one in enumerate(lines):
            own = one['pieces'][:LENGTH_MAX]
            pieces[at, :len(own)] = own
            ids = [value for ids in texts.kinds[one['kind']].groups for value in ids]
            values[at, :len(ids)] = ids
        sums = np.exp(np.asarray(read(weights, pieces, values, words), np.float64))
        for at, one in enumerate(lines):
            by_group, place = {}, 0
            for group, ids in enumerate(texts.kinds[one['kind']].groups):
                own = sums[at, place:place + len(ids)]
                by_group[group] = (ids[own.argmax()],
                                   own.max() / (own.sum() + math.exp(weights['none'])))
                place += len(ids)
            found.append(by_group)
    return found


def print_figures(title, weights, texts, words):
    """Of values that were demanded and that no rule reads, how many are found; and how many of
    groups of which neither a demand nor a rule says anything."""
    if not texts.held:
        print(title, flush=True)
        return
    found, shown = likeliest(weights, texts, words), []
    for name, sets in FIGURES.items():
        of = [(one, said) for one, said in zip(texts.held, found) if re.match(sets, one['set'])]
        hard = [(said[at], one['wanted'][at]) for one, said in of for at in one['hard']]
        spare = [chance for one, said in of for at, (_, chance) in said.items()
                 if at not in one['wanted'] and at not in one['unsure']]
        figures = ', '.join(
            f'{sum(value in right and chance >= least for (value, chance), right in hard)}'
            f' and {sum(chance >= least for chance in spare)} from {least}' for least in THRESHOLDS)
        shown.append(f'{name}: of {len(hard)} in {len(of)} lines {figures}')
    print(f'{title}; {"; ".join(shown)}', flush=True)


def write(file, weights, known, words):
    """Writes file.bin and file.json."""
    data, matrices, vectors = bytearray(), {}, {}
    every = jnp.arange(len(weights['values']))
    written = {**weights, 'values': vectors_of(weights, every, words)}
    for name in ('pieces', 'pairs', 'triples', 'first', 'second', 'values'):
        values, scales = rounded(np.asarray(written[name]))
        at = len(data)
        data += values.tobytes() + b'\0' * (-values.size % 4)
        matrices[name] = {'at': at, 'rows': len(values), 'scales': len(data)}
        data += scales.tobytes()
    for name in ('first', 'second', 'values'):
        values = np.asarray(weights[f'{name}_bias'], np.float32)
        vectors[name] = {'at': len(data), 'size': values.size}
        data += values.tobytes()
    file.with_suffix('.bin').write_bytes(data)
    file.with_suffix('.json').write_text(json.dumps(
        {'width': written['values'].shape[1], 'matrices': matrices, 'vectors': vectors,
         'none': float(weights['none']), 'pieces': known['pieces'],
         'values': known['attributes']}, ensure_ascii=False) + '\n', encoding='utf8')
    print(f'{len(data):,} bytes written')


def main():
    """Trains, prints figures of what was held out, and writes the weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--rounds', type=int, default=14)
    parser.add_argument('--width', type=int, default=96)
    parser.add_argument('--blind', action='store_true',
                        help='hold out lines of the last sets; write into .data/encoder')
    options = parser.parse_args()
    known = json.loads((OWN / 'values.json').read_text(encoding='utf8'))
    # Hashes of pieces are numbers of 32 bits here, and must be the same in the product.
    assert (len(known['pieces']) + 2) * (HASH_BEFORE + HASH_OWN + HASH_BEHIND) < 2 ** 31
    texts = Texts(known, lambda name: options.blind and BLIND.match(name) is not None)
    print(f'{len(texts.phrases)} phrases, {len(texts.lines)} lines, {len(texts.held)} held out')
    words = np.zeros((len(known['values']), NAME_MAX), np.int32)
    for at, pieces in enumerate(known['values']):
        words[at, :len(pieces[:NAME_MAX])] = pieces[:NAME_MAX]
    weights = start(len(known['pieces']) + 2, len(words), options.width)
    weights = trained(texts, weights, jnp.asarray(words), options.rounds)
    write(OWN / 'blind-values' if options.blind else WRITTEN, weights, known, jnp.asarray(words))


if __name__ == '__main__':
    main()
