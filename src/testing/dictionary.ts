/** Words that no exported name and no file name may have, and what to say instead. */
export interface OldWord {
  readonly not: string
  readonly but: string
  /** `any`: as one word of a name; `whole`: as the whole name; `type`: as the end of a type's. */
  readonly as: 'any' | 'whole' | 'type'
}

const any = (words: string, but: string): OldWord[] =>
  words.split(' ').map((not) => ({ not, but, as: 'any' }))
const whole = (words: string, but: string): OldWord[] =>
  words.split(' ').map((not) => ({ not, but, as: 'whole' }))

export const OLD_WORDS: readonly OldWord[] = [
  ...any('bring brings', 'reconcileCommission'),
  { not: 'place', but: 'what it holds: EarningsStore, SourceRef, Cursor', as: 'type' },
  ...any('workplace', 'CommandContext'),
  ...whole('atWork', 'withLedger'),
  ...whole('Maybe andThen', 'MaybePromise, chain'),
  ...any('entrance', 'Admission'),
  ...whole('enter Enter', 'admit'),
  ...whole('wasGood goodAt', 'wasValid, validUntil'),
  ...whole('turnAway createTurnAway turn-away isOfTheDoor', 'rejectUnrouted, isTransportError'),
  ...any('pour pieces lent relabel relabelled', 'streamBody, chunks, borrowedBody, patchElf'),
  ...any('told', 'asRefusal, omitUndefined'),
  ...any('verdict away trouble troubles troubled', 'command error, isUnavailable, isTransient'),
  ...any('lane lanes', 'ConnectionQueue, queueFor'),
  ...whole('learn', 'refreshSlots'),
  ...any('gather gathers gathering', 'batchWrites, cork'),
  ...any('aside asides isolate isolation', 'deadLetter, poison'),
  ...any('unhear', 'unsubscribe'),
  ...whole('Rounds startRounds RoundOptions', 'PollLoop'),
  ...any('taker', 'Claimant'),
  ...whole('fill letGo giveBack', 'allocate, release, refund'),
  ...any('twins wishes looks nature perhaps cues',
    'duplicates, constraints, appearance, productType, UNCERTAIN_WEIGHT, signals'),
  ...any('mood', 'status'),
  ...whole('Room RoomOptions room', 'concurrencyLimit'),
  ...any('herd blow blows deeds spoil stand stands',
    'contention, Fault, actions, corrupt, testbed'),
  ...whole('holdClock handClock HandClock', 'FakeClock'),
  ...whole('Owners OwnersOptions createOwners owners', 'Accounts'),
  ...any('both chance universe bear', 'pairOf, random: say what it is'),
  ...whole('ask tell goOn', 'what is asked for, or done'),
]

/** Names of rooms that are not cleaned yet. It only becomes shorter. */
export const KNOWN_NAMES: readonly string[] = [
  // src/dev, src/language, src/testing, loadtest/topology
  'ask', 'Place',
  // src/testing
  'herd',
]

const wordsOf = (name: string): string[] =>
  name.split(/[-_.]|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase())

/** The old word in a name; undefined where there is none. */
export function oldWordIn(name: string): OldWord | undefined {
  const words = wordsOf(name)
  return OLD_WORDS.find(({ not, as }) => (as === 'any' ? words.includes(not)
    : as === 'whole' ? name === not
      : /^[A-Z]/.test(name) && words.at(-1) === not))
}
