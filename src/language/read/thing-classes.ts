/** 想囤点吃的, "something to wear": no goods are named, and what they are for tells their shelves. */
import { FOOD, PETS } from '../../goods/categories.ts'

const [CLOTHES, SHOES, JEWELRY, BABY, TOYS, BOOKS, SPORTS, HEALTH] = [9, 10, 11, 18, 19, 20, 21, 24]

const CLASSES: readonly (readonly [said: RegExp, categories: readonly number[]])[] = [
  [/吃的(?!时候|人|药|苦)|吃[点些](?:啥|什么)|吃食|零嘴|something to (?:eat|snack on)/,
    [...FOOD, BABY, PETS, HEALTH]],
  [/喝的(?!时候|人|药)|喝[点些](?:啥|什么)|something to drink/, [...FOOD, BABY, PETS, HEALTH]],
  [/穿的(?!时候|人|鞋)|穿[点些]?(?:啥|什么)(?!鞋)|something to wear/,
    [CLOTHES, SHOES, JEWELRY, BABY, SPORTS, PETS]],
  [/[看读](?:点|些|本)?(?:什么|啥|哪些|哪本)书|书推荐|推荐.{0,6}书$/, [BOOKS]],
  [/玩[点些]?(?:啥|什么)|玩的(?!时候|人)|something to play/, [TOYS, BOOKS, SPORTS, BABY, PETS, 1]],
]

/** The categories that the goods are of; undefined where nothing tells them. */
export function categoriesSaid(text: string): ReadonlySet<number> | undefined {
  const said = CLASSES.filter(([pattern]) => pattern.test(text)).flatMap(([, all]) => all)
  return said.length > 0 ? new Set(said) : undefined
}
