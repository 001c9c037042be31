/** Goods of a list that are named by what they do: 铅笔、橡皮，还有削笔的. */
import { getLexicon, keyOf, NAMED } from '../lexicon.ts'
import type { Name } from './names.ts'

const DESCRIBED = new RegExp('(?<=[;,、 ]?(?:还有|以及|再来[点个些]?|再要[点个些]?|外加|另外要?))'
  + '(\\p{Script=Han}{2,3})的(?=$|[;,.。!?、 都各一也])', 'gu')
/** Not 防水 and 防滑, which say how the goods before are. */
const DOING = /^(?:[削拖磨装擦切扫洗晒晾挂剪刷盖垫泡煮烤炒量钻锯贴写驱灭杀捕喂遛梳扎绑盛舀]|防[蚊虫鼠晒])/
const JOINS = /[;,、 ]?(?:还有|以及|再来[点个些]?|再要[点个些]?|外加|另外要?)$/
/** With which such goods end, the commonest first. */
const NOUNS = [...'器机刀把液袋盒箱架布巾刷夹垫套绳膏粉杯壶锅椅桶帽', '喷雾', '手套', '工具', '神器']

/** Behind another name only, and where their name begins with the same words. */
export const describedIn = (text: string, names: readonly Name[]): Name[] =>
  [...text.matchAll(DESCRIBED)].flatMap(({ 0: said, 1: doing = '', index }): Name[] => {
    const before = text.slice(0, index).replace(JOINS, '')
    const isThing = DOING.test(doing) && names.some(({ end }) => end === before.length)
    const [name] = !isThing ? [] : NOUNS.flatMap((noun) => {
      const key = keyOf(doing + noun)
      const senses = getLexicon().senses.get(key)?.filter(({ weight }) => weight >= NAMED) ?? []
      return senses.length > 0 ? [{ start: index, end: index + said.length, key, senses }] : []
    })
    return name ? [name] : []
  })
