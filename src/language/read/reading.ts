/** The sentence in one spelling, where every character still knows where it was written. */
import { fold } from '../fold.ts'
import type { Span } from '../understanding.ts'

export const SENTENCE_LENGTH_MAX = 200
/** One character can fold to many; a sentence of such characters is not a sentence. */
const FOLDED_LENGTH_MAX = 400
const MARKS_MAX = 4
const PLAIN = /^[!-~]$/
const MARK = /\p{M}/u
const SILENT = /\p{Cf}|\p{Cs}/u
const SPACE = /\s|\p{Cc}/u
const DASH = /[\u2010-\u2015\u2212\u2e3a\u2e3b]/u

export interface Reading {
  readonly sentence: string
  readonly text: string
  readonly isCut: boolean
  /** Where each unit of `text` starts and ends in the sentence. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

export function read(given: string): Reading {
  const characters = Array.from(given.slice(0, SENTENCE_LENGTH_MAX * 2))
  const sentence = characters.slice(0, SENTENCE_LENGTH_MAX).join('')
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  let at = 0
  for (const cluster of clustersOf(sentence)) {
    const folded = foldOne(cluster)
    for (let unit = 0; unit < folded.length; unit += 1) {
      starts.push(at)
      ends.push(at + cluster.length)
    }
    text += folded
    at += cluster.length
    if (text.length >= FOLDED_LENGTH_MAX) break
  }
  return { sentence, text, isCut: sentence.length < given.length || at < sentence.length,
    starts, ends }
}

/** What stands for a word in a message. */
const EMOJI = new Map(Object.entries({
  '🎧': '耳机', '📱': '手机', '💻': '笔记本电脑', '⌚': '手表', '📷': '相机', '🖱': '鼠标', '⌨': '键盘',
  '🔋': '电池', '💡': '灯泡', '📺': '电视', '🎮': '游戏手柄', '🐱': '猫', '🐈': '猫', '😺': '猫',
  '🐶': '狗', '🐕': '狗', '🐟': '鱼', '☂': '雨伞', '☔': '雨伞', '🌂': '雨伞', '🎂': '蛋糕',
  '🍰': '蛋糕', '🍕': '披萨', '🍔': '汉堡', '☕': '咖啡', '🍵': '茶', '🧋': '奶茶', '🍺': '啤酒',
  '🍻': '啤酒', '🍷': '红酒', '🥛': '牛奶', '🥚': '鸡蛋', '🍞': '面包', '🍫': '巧克力', '🍪': '饼干',
  '🍎': '苹果', '🍓': '草莓', '🍉': '西瓜', '🍇': '葡萄', '🍌': '香蕉', '🍊': '橙子', '👟': '运动鞋',
  '👠': '高跟鞋', '👢': '靴子', '👗': '连衣裙', '👖': '牛仔裤', '👕': 'T恤', '👚': '女士衬衫', '🧥': '外套',
  '🧦': '袜子', '🧢': '棒球帽', '👒': '帽子', '🧣': '围巾', '🧤': '手套', '👜': '手提包', '🎒': '书包',
  '🧳': '行李箱', '👓': '眼镜', '🕶': '太阳镜', '💄': '口红', '💅': '指甲油', '🧴': '乳液', '🧼': '香皂',
  '🪥': '牙刷', '🧻': '卷纸', '💍': '戒指', '📿': '项链', '🍼': '奶瓶', '👶': '宝宝', '👧': '女孩',
  '👦': '男孩', '👵': '奶奶', '👴': '爷爷', '🎁': '礼物', '🧸': '毛绒玩具', '🪁': '风筝', '🚲': '自行车',
  '⚽': '足球', '🏀': '篮球', '🏸': '羽毛球拍', '🎸': '吉他', '🎹': '电钢琴', '📚': '书', '🖊': '笔',
  '✏': '铅笔', '🛏': '床', '🪑': '椅子', '🛋': '沙发', '🚿': '花洒', '🕯': '蜡烛', '🌹': '玫瑰',
  '💐': '鲜花', '🌸': '鲜花', '⛺': '帐篷', '🎣': '鱼竿', '🚗': '汽车', '🍳': '平底锅', '🔪': '菜刀',
}))
const PRESENTATION = /\ufe0f/g

function foldOne(cluster: string): string {
  const word = EMOJI.get(cluster.replace(PRESENTATION, ''))
  if (word !== undefined) return fold(word)
  if (PLAIN.test(cluster)) return cluster.toLowerCase()
  if (SILENT.test(cluster)) return ''
  if (SPACE.test(cluster)) return ' '
  // A full-width comma parts two clauses; folded, it would look like the one in 1,500.
  if (cluster === '，') return ';'
  if (DASH.test(cluster)) return '-'
  const folded = fold(cluster)
  // ㈠ is 一 in brackets, and one word all the same.
  return folded.length > 1 ? folded.replaceAll(/[()\s]/g, '') : folded
}

/** A character with the marks that stand on it. */
function* clustersOf(sentence: string): Generator<string> {
  let cluster = ''
  for (const character of sentence) {
    if (cluster !== '' && MARK.test(character) && cluster.length <= MARKS_MAX) {
      cluster += character
      continue
    }
    if (cluster !== '') yield cluster
    cluster = character
  }
  if (cluster !== '') yield cluster
}

export function spanOf({ sentence, starts, ends }: Reading, start: number, end: number): Span {
  // A character that folds to several belongs to the part that holds the first of them.
  const isInside = start > 0 && starts[start] === starts[start - 1]
  const from = (isInside ? ends : starts)[start] ?? sentence.length
  const to = Math.max(from, end > start ? ends[end - 1] ?? sentence.length : from)
  return { start: from, end: to, text: sentence.slice(from, to) }
}
