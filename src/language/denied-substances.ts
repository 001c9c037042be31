/** 无酒精 refuses what says that it has alcohol. */
import { taxonomy } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { deniedGroup, type Group } from './groups.ts'
import type { Wish } from './understanding.ts'

export const deniedIn = (must: readonly Wish[], kinds: Iterable<string>): Wish[] => {
  const asked = [...kinds]
  return must.flatMap(({ start, end, text, anyOf: [word = '', ...others] }) => {
    const group = others.length === 0 ? deniedGroup(word) : undefined
    const [name] = group?.names ?? []
    return !group || name === undefined || asked.some((kind) => isCalledSo(kind, group)) ? []
      : [{ start, end, text, anyOf: [name] }]
  })
}

/** Decaf coffee is coffee; who may not eat gluten gets no noodles that do not deny it. */
function isCalledSo(kind: string, { members, isInNames }: Group): boolean {
  const { name_zh = '', name_en = '' } = taxonomy().kinds.get(kind) ?? {}
  return isInNames !== true && members.some((member) =>
    fold(name_zh).includes(member) || fold(name_en).split(' ').includes(member))
}
