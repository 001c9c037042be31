"""Trains the network of `src/language/kind-encoder.ts`; README.md says how and what came of it.

Reads what main.ts wrote into .data/encoder and writes config/kind-encoder.bin and .json.
Python 3.11 or later with jax==0.10.2 and numpy==2.4.6.

Shapes: B texts, L places of pieces, W numbers of a vector (--width), K kinds, G goods of a text.
"""
import argparse
import hashlib
import json
import math
import os
import re
import time
from pathlib import Path

os.environ['OMP_NUM_THREADS'] = os.environ['OPENBLAS_NUM_THREADS'] = '1'
os.environ['XLA_FLAGS'] = ('--xla_cpu_multi_thread_eigen=false '
                           'intra_op_parallelism_threads=1')
import jax
import jax.numpy as jnp
import numpy as np

# Takes a fraction of the time of the default.
jax.config.update('jax_default_prng_impl', 'unsafe_rbg')

ROOT = Path(__file__).resolve().parents[3]
OWN = ROOT / '.data/encoder'
TEXTS = OWN / 'texts.jsonl'
LISTS = OWN / 'lists.json'
WRITTEN = ROOT / 'config/kind-encoder'

SEED = 1
# As in kind-encoder.ts: primes by which neighbours are hashed, and rows they are hashed to.
HASH_BEFORE, HASH_OWN, HASH_BEHIND = 31_337, 7919, 104_729
PAIRS, TRIPLES = 16_384, 8192
MEANS = 4
# Texts of a round of training, and which share of them each group has.
ROUND = 100_000
SHARES = {'phrase': .28, 'line': .42, 'masked': .03, 'plain': .15, 'told': .12}
LINE_WEIGHT = 1.5
# Texts of up to so many pieces are trained on together, so many at once.
BATCHES = {6: 768, 12: 448, 20: 288, 32: 192, 48: 128}
LENGTH_MAX = max(BATCHES)
KINDS_MAX = 16
# Of several goods that a text wants at once each counts alike.
GOODS_MAX = 4
RATE, RATE_LEAST, WARM_UP = 3e-3, .02, 200
# A piece and a kind that are expected together less often say little.
RARE = .5
MOMENTUM, SQUARES, EVEN = .9, .99, 1e-6
# Of the loss: how much any acceptable kind of each of the goods counts, and the mean of all.
ANY, ALL = .7, .3
KEPT_PLACES, KEPT_NUMBERS, KEPT_POOLED = .9, .85, .8
# Parts of all lines: of each the chances are given by weights that were not trained on it.
FOLDS = 4
BLIND = re.compile(r'(31|32|33|34|development-8)/')
FIGURES = {'blind sentences': r'(31|32|33|34)/sentences',
           'blind searches': r'(31|32|33|34)/searches', 'development-8': 'development-8',
           'other lines': r'(?!(31|32|33|34|development-8)/)'}


def group_of(name):
    """The group of a set of texts: lines are all that were labelled by hand."""
    if name in ('name', 'need', 'needs', 'likes'):
        return 'phrase'
    first, _, rest = name.partition(' ')
    return rest if first == 'made' else 'masked' if first == 'masked' else 'line'


def part_of(text):
    """The part that a line belongs to, as `npm run ranking` counts them."""
    return int(hashlib.md5(text.encode()).hexdigest()[:8], 16) % FOLDS


def read_texts(is_held_out):
    """The groups of texts to train on, and the lines that are held out."""
    groups, held = {group: [] for group in SHARES}, []
    for line in TEXTS.open(encoding='utf8'):
        one = json.loads(line)
        group = group_of(one['set'])
        name = one['set'].removeprefix('masked ')
        is_held = 'line' in one and is_held_out(name, one['line'])
        if not is_held:
            groups[group].append(one)
        elif group == 'line':
            held.append(one)
    return groups, held


def padded(texts, length):
    """Pieces of texts as rows [B, length], with 0 behind the last."""
    rows = np.zeros((len(texts), length), np.int32)
    for at, one in enumerate(texts):
        rows[at, :len(one['pieces'])] = one['pieces']
    return rows


def wanted_of(texts):
    """Places of the acceptable kinds [B, KINDS_MAX], and of which of the goods each is one.

    Behind the last stands -1.
    """
    kinds, goods = np.full((2, len(texts), KINDS_MAX), -1, np.int32)
    for at, one in enumerate(texts):
        count = min(len(one['kinds']), KINDS_MAX)
        kinds[at, :count] = one['kinds'][:count]
        goods[at, :count] = np.minimum(one.get('goods', [0] * count)[:count], GOODS_MAX - 1)
    return kinds, goods


def vectors_of_pieces(texts, pieces, kinds, width):
    """Vectors [pieces, W] to begin with: pieces that stand for like kinds have like vectors.

    The first singular vectors of how much likelier a kind is with a piece than without it.
    """
    counts = np.zeros((pieces, kinds), np.float32)
    for one in texts:
        share = 1 / len(one['kinds'])
        for piece in set(one['pieces']):
            counts[piece, one['kinds']] += share
    expected = counts.sum(1, keepdims=True) * counts.sum(0) / counts.sum()
    likelier = np.log(np.maximum(counts / np.maximum(expected, RARE), 1))
    values, bases = np.linalg.eigh(likelier.T @ likelier)
    vectors = likelier @ bases[:, -width:] / np.maximum(values[-width:], 1) ** .25
    # What is common has long vectors: shorter ones leave room for those of pairs.
    vectors /= np.sqrt(np.linalg.norm(vectors, axis=1, keepdims=True) + EVEN)
    return vectors / vectors.std()


def start(random, vectors, kinds):
    """Weights to begin with: all but the vectors of pieces at random."""
    rows, width = vectors.shape

    def normal(rows, columns, scale):
        return jnp.asarray(random.normal(0, scale, (rows, columns)), jnp.float32)

    def mixing(rows):
        return normal(rows, width, rows ** -.5)
    return {
        'pieces': jnp.asarray(.3 * vectors) + normal(rows, width, .03),
        'pairs': normal(PAIRS + 1, width, .02),
        'triples': normal(TRIPLES + 1, width, .02),
        'first': mixing(3 * width), 'first_bias': jnp.zeros(width),
        'second': mixing(3 * width), 'second_bias': jnp.zeros(width),
        'attention': normal(width, MEANS, .1),
        'output': mixing((MEANS + 1) * width),
        'kinds': normal(kinds, width, .1), 'kinds_bias': jnp.zeros(kinds),
    }


def normed(x):
    """Rows of a mean square of one."""
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + EVEN)


def convolved(x, matrix, bias):
    """What each place and its neighbours give: [B, L, W] to [B, L, W]."""
    wide = jnp.pad(x, ((0, 0), (1, 1), (0, 0)))
    return jax.nn.relu(jnp.concatenate([wide[:, :-2], x, wide[:, 2:]], -1) @ matrix + bias)


def embedded(weights, pieces):
    """Vectors [B, L, W] of pieces [B, L]: of each, of its pair and of its triple."""
    wide = jnp.pad(pieces, ((0, 0), (1, 1)))
    pair = pieces * HASH_OWN + wide[:, 2:] * HASH_BEHIND
    triple = wide[:, :-2] * HASH_BEFORE + pair
    return (weights['pieces'][pieces] + weights['pairs'][pair % PAIRS + 1]
            + weights['triples'][triple % TRIPLES + 1])


def thinned(key, x, kept):
    """Without some numbers of each text, at all its places; the others grow by as much."""
    shape = (x.shape[0],) + (1,) * (x.ndim - 2) + (x.shape[-1],)
    return x * jax.random.bernoulli(key, kept, shape) / kept


def pooled(weights, x, mask):
    """The greatest numbers and the weighted means of all places: [B, L, W] to [B, 5 W]."""
    outside = 1e9 * (1 - mask)
    shares = jax.nn.softmax(x @ weights['attention'] - outside, 1)
    means = jnp.einsum('blm,blw->bmw', shares, x)
    return jnp.concatenate([jnp.max(x - outside, 1), means.reshape(len(x), -1)], -1)


def chances(weights, pieces, key=None):
    """Logarithms of the chances of all kinds [B, K]; with a key some numbers are left out."""
    mask = (pieces > 0)[..., None].astype(jnp.float32)
    x = embedded(weights, pieces)
    if key is not None:
        of_places, of_numbers, of_pooled = jax.random.split(key, 3)
        x = thinned(of_numbers, x * jax.random.bernoulli(of_places, KEPT_PLACES, mask.shape),
                    KEPT_NUMBERS)
    x = normed(x) * mask
    x = (x + convolved(x, weights['first'], weights['first_bias'])) * mask
    x = (x + convolved(normed(x) * mask, weights['second'], weights['second_bias'])) * mask
    x = pooled(weights, x, mask)
    if key is not None:
        x = thinned(of_pooled, x, KEPT_POOLED)
    return jax.nn.log_softmax(
        normed(x @ weights['output']) @ weights['kinds'].T + weights['kinds_bias'])


def loss(weights, pieces, wanted, importance, key):
    """How unlikely the acceptable kinds [B, KINDS_MAX] are: any of each of the goods, and each."""
    kinds, goods = wanted
    is_kind = kinds >= 0
    logs = chances(weights, pieces, key)
    of = jnp.where(is_kind, jnp.take_along_axis(logs, jnp.maximum(kinds, 0), 1), -1e9)
    mean = jnp.where(is_kind, of, 0).sum(1) / jnp.maximum(is_kind.sum(1), 1)
    is_of = goods[:, None] == jnp.arange(GOODS_MAX)[:, None]  # [B, G, KINDS_MAX]
    is_wanted = is_of.any(2)
    # A number, as minus infinity has no slope.
    any_of = jax.nn.logsumexp(jnp.where(is_of, of[:, None], -1e9), 2)
    of_goods = jnp.where(is_wanted, any_of, 0).sum(1) / jnp.maximum(is_wanted.sum(1), 1)
    right = ANY * of_goods + ALL * mean
    return -(importance * right).sum() / importance.sum()


def stepped_by(loss):
    """One step of Adam, by a loss of weights and whatever else is given."""
    @jax.jit
    def stepped(state, rate, *given):
        """The state is weights, both moments and the number of steps."""
        weights, means, squares, count = state
        value, slope = jax.value_and_grad(loss)(weights, *given)
        count = count + 1
        means = jax.tree.map(lambda old, new: MOMENTUM * old + (1 - MOMENTUM) * new, means, slope)
        squares = jax.tree.map(
            lambda old, new: SQUARES * old + (1 - SQUARES) * new * new, squares, slope)
        by_mean, by_square = 1 - MOMENTUM ** count, 1 - SQUARES ** count
        weights = jax.tree.map(
            lambda old, mean, square:
                old - rate * (mean / by_mean) / (jnp.sqrt(square / by_square) + 1e-8),
            weights, means, squares)
        return (weights, means, squares, count), value
    return stepped


def endless(random, texts):
    """All texts in a random order, again and again."""
    while True:
        for at in random.permutation(len(texts)):
            yield texts[at]


def batches_of(random, streams):
    """The texts of one round, in batches of texts of like length."""
    by_length = {length: [] for length in BATCHES}
    for group, share in SHARES.items():
        for _ in range(int(share * ROUND)):
            one = next(streams[group])
            by_length[next(length for length in BATCHES if len(one['pieces']) <= length)].append(
                (one, LINE_WEIGHT if group == 'line' else 1))
    batches = []
    for length, texts in by_length.items():
        size, mixed = BATCHES[length], [texts[at] for at in random.permutation(len(texts))]
        batches += [(length, mixed[at:at + size])
                    for at in range(0, len(mixed) - size + 1, size)]
    return [batches[at] for at in random.permutation(len(batches))]


def rate_at(count, done, most=RATE):
    """Rises in the first steps and falls along a cosine."""
    return most * min(1, count / WARM_UP) * max(RATE_LEAST, .5 + .5 * math.cos(math.pi * done))


def trained(random, weights, groups, rounds, report):
    """The weights after so many rounds."""
    nothing = jax.tree.map(jnp.zeros_like, weights)
    state, key, count = (weights, nothing, nothing, jnp.float32(0)), jax.random.key(SEED), 0
    stepped = stepped_by(loss)
    streams = {group: endless(random, texts) for group, texts in groups.items()}
    for number in range(rounds):
        batches, values = batches_of(random, streams), []
        for at, (length, batch) in enumerate(batches):
            texts, importance = zip(*batch)
            count += 1
            key, own = jax.random.split(key)
            rate = rate_at(count, (number + at / len(batches)) / rounds)
            state, value = stepped(
                state, jnp.float32(rate), padded(texts, length), wanted_of(texts),
                np.array(importance, np.float32), own)
            values.append(value)
        report(number + 1, float(np.mean(values)), state[0])
    return state[0]


def first_kinds(weights, texts, size=256):
    """The likeliest kind of each text [B]."""
    likeliest = jax.jit(lambda pieces: chances(weights, pieces).argmax(1))
    rows = padded(texts, LENGTH_MAX)
    filled = np.pad(rows, ((0, -len(rows) % size), (0, 0)))
    parts = [likeliest(filled[at:at + size]) for at in range(0, len(filled), size)]
    return np.concatenate(parts)[:len(texts)]


def print_figures(title, weights, held):
    """Of each set of held-out lines how many first kinds are right."""
    firsts = first_kinds(weights, held) if held else []
    is_right = [first in one['kinds'] for first, one in zip(firsts, held)]
    shares = []
    for name, sets in FIGURES.items():
        of = [right for right, one in zip(is_right, held) if re.match(sets, one['set'])]
        if of:
            shares.append(f'{name} {100 * np.mean(of):.2f} % of {len(of)}')
    print(f'{title}: {"; ".join(shares)}', flush=True)


def rounded(matrix):
    """Rows as int8 with one float32 each that scales it."""
    scales = (np.abs(matrix).max(1) / 127 + 1e-12).astype(np.float32)
    return np.round(matrix / scales[:, None]).astype(np.int8), scales


def write(file, weights, width, pieces, kinds):
    """Writes file.bin and file.json, and returns the weights as they will be read."""
    data, matrices, vectors, read = bytearray(), {}, {}, {}
    for name in ('pieces', 'pairs', 'triples', 'first', 'second', 'output', 'kinds'):
        values, scales = rounded(np.asarray(weights[name]))
        at = len(data)
        data += values.tobytes() + b'\0' * (-values.size % 4)
        matrices[name] = {'at': at, 'rows': len(values), 'scales': len(data)}
        data += scales.tobytes()
        read[name] = jnp.asarray(values * scales[:, None])
    for name in ('first_bias', 'second_bias', 'attention', 'kinds_bias'):
        values = np.asarray(weights[name], np.float32)
        vectors[name.removesuffix('_bias')] = {'at': len(data), 'size': values.size}
        data += values.tobytes()
        read[name] = weights[name]
    file.with_suffix('.bin').write_bytes(data)
    file.with_suffix('.json').write_text(json.dumps(
        {'width': width, 'matrices': matrices, 'vectors': vectors, 'pieces': pieces,
         'kinds': kinds}, ensure_ascii=False) + '\n', encoding='utf8')
    print(f'{len(data):,} bytes written')
    return read


def main():
    """Trains, prints figures of what was held out, and writes the weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--rounds', type=int, default=16)
    parser.add_argument('--width', type=int, default=128)
    parser.add_argument('--blind', action='store_true',
                        help='hold out the blind rounds; write into .data/encoder')
    parser.add_argument('--fold', type=int, choices=range(FOLDS),
                        help='hold out this part of all lines; write into .data/encoder')
    options = parser.parse_args()
    lists = json.loads(LISTS.read_text(encoding='utf8'))

    def is_held_out(name, line):
        return (part_of(line) == options.fold if options.fold is not None
                else options.blind and BLIND.match(name) is not None)
    groups, held = read_texts(is_held_out)
    print({group: len(texts) for group, texts in groups.items()}, 'held out', len(held))
    random, began = np.random.default_rng(SEED), time.process_time()

    def report(number, value, weights):
        seconds = time.process_time() - began
        print_figures(f'{number} rounds, {seconds:.0f} s, loss {value:.3f}', weights, held)
    known = groups['phrase'] + groups['line'] + groups['masked']
    vectors = vectors_of_pieces(
        known, len(lists['pieces']) + 2, len(lists['kinds']), options.width)
    weights = trained(random, start(random, vectors, len(lists['kinds'])), groups,
                      options.rounds, report)
    file = (OWN / f'fold-{options.fold}' if options.fold is not None
            else OWN / 'blind' if options.blind else WRITTEN)
    print_figures('as written', write(file, weights, options.width, **lists), held)


if __name__ == '__main__':
    main()
