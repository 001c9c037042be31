/** Whom goods are bought for: the words for people, what they wear, and what is given to them. */
import type { Audience } from '../../goods/taxonomy.ts'
import { list } from './words.ts'

export interface Person {
  /** As `gift_for` in the taxonomy has it. */
  readonly gift?: string
  readonly audience?: Audience
  readonly words: readonly string[]
  /** Words for all such people, for whom goods are made: they are no one's presents. */
  readonly all?: readonly string[]
}

export const PEOPLE: readonly Person[] = [
  { gift: 'mother', audience: 'women', words: list(`妈妈|妈|娘|俺娘|嫂子|大嫂|弟妹|婶婶|婶子|大婶|大妈|大娘|小姨|大姨|姨妈|伯母
    |干妈|后妈|阿姨们|妈咪|老母亲|mommy|mama|stepmom|老娘|老妈|我妈|母亲|婆婆|岳母|丈母娘|阿姨|姑姑|姑妈
    |舅妈|mom|mum|mother|mother-in-law|aunt`) },
  { gift: 'father', audience: 'men', words: list(`大伯|大爷|姨父|姑父|姐夫|干爹|老父亲|爹地|老爹爹|daddy|papa|stepdad
    |老丈人|丈人|爹|俺爹|老爹|舅舅|叔叔|伯伯|爸爸|爸|老爸|父亲|公公|岳父
    |dad|father|father-in-law|uncle`) },
  { gift: 'elderly', audience: 'men', words: list(`爷爷|外公|姥爷|老爷子|老爷爷|老头|老头子|太爷爷|grandpa|grandfather
    |granddad|gramps`) },
  { gift: 'elderly', audience: 'women', words: list(`奶奶|外婆|姥姥|老太太|老奶奶|太奶奶|老太|nana|granny|grandma
    |grandmother`) },
  { gift: 'elderly', audience: 'elderly', words: list(`老人|老人家|长辈|爸妈|父母|公婆|二老|岳父母|双亲|爹妈|爹娘|老两口|爷爷奶奶
    |外公外婆|姥姥姥爷|grandparents|parents|in-laws|folks`),
    all: list('老年人|elderly') },
  { gift: 'boy', audience: 'boys', words: list(`儿子|小儿子|大儿子|臭小子|boy|son
    |弟弟|侄子|小侄子|侄儿|外甥|孙子|nephew|grandson`), all: list('男孩|男童|小男孩|男孩子|boys') },
  { gift: 'girl', audience: 'girls', words: list(`女儿|闺女|丫头|小公主|小女儿|大女儿|girl|daughter
    |妹妹|侄女|外甥女|孙女|niece|granddaughter`), all: list('女孩|女童|小女孩|女孩子|girls') },
  { gift: 'baby', audience: 'baby', words: list('宝宝|娃|小毛头|奶娃娃|奶娃|小宝宝|小婴儿|新生宝宝'),
    all: list('婴儿|新生儿|满月|百天|百日|周岁|baby|newborn|baby shower') },
  { gift: 'child', audience: 'kids', words: list(`熊孩子|小家伙|小屁孩|娃娃|俩娃|孩子|小孩|小孩子|小朋友|娃儿|细路|崽崽|kid
    |kids|child|children`),
    all: list('儿童|小学生|toddler|toddlers') },
  { gift: 'woman', audience: 'women', words: list(`小姐妹|妹子|小姐姐|美女|胖妹妹|胖妹|胖mm
    |堂姐|堂妹|表妹|学姐|学妹|未婚妻|孩子妈|孩儿他妈|女同事|女同学|女闺蜜
    |fiancee|bestie|gf|girlfriend's|女朋友|女友|老婆|妻子|媳妇|媳妇儿|爱人|女生|闺蜜|姐姐|女神|表姐
    |girlfriend|wife|her|sister`), all: list('女士|woman|women') },
  { gift: 'woman', words: list('对象') },
  { gift: 'man', audience: 'men', words: list(`小伙子|大叔|小哥哥|胖哥|胖小伙
    |小伙|大小伙子|孩子爸|孩他爸|堂哥|堂弟|表弟|学长|学弟|未婚夫|男同事|男同学
    |男票|老弟|老哥|那口子
    |fiance|bf|boyfriend's|男朋友|男友|老公|丈夫|男生|哥哥|先生|表哥|boyfriend|husband
    |him|brother`), all: list('男士|man|men') },
  { gift: 'couple', words: list('情侣|新人|couple|newlyweds') },
  { gift: 'colleague', words: list(`同事们|甲方|同僚|下属|徒弟|同事|客户|员工|部门|合作方|colleague|colleagues|coworker
    |client`) },
  { gift: 'boss', words: list('领导|老板|上司|boss') },
  { gift: 'teacher', words: list('班主任|导师|教练|老师|教师|teacher') },
  { gift: 'student', words: list('同桌|舍友|学弟学妹|学生|同学|大学生|student') },
  { gift: 'friend', words: list(`好友|老友|发小|基友|死党|朋友们|战友|老乡|球友|钓友|车友|驴友|姐妹|roommate|flatmate|mate
    |buddy|哥们|哥们儿|兄弟|室友|邻居|朋友|亲戚|家人|friend|friends|family|someone|neighbour
    |neighbor|host`) },
  { words: list('宝贝|自己|别人|人|myself|them|us') },
]

export const RECIPIENTS: readonly string[] = PEOPLE.flatMap(({ words }) => words)

/** With the words for all such people. */
export const wordsFor = ({ words, all = [] }: Person): readonly string[] => [...words, ...all]
