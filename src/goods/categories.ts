/** The names of category_id: the whole taxonomy is too much to load for 24 words. */
export const CATEGORIES: readonly (readonly [id: number, zh: string, en: string])[] = [
  [1, '手机数码', 'Phones and digital'],
  [2, '电脑办公', 'Computers and office'],
  [3, '数码配件', 'Digital accessories'],
  [4, '家用电器', 'Home appliances'],
  [5, '居家日用', 'Household goods'],
  [6, '厨具', 'Kitchenware'],
  [7, '家纺', 'Home textiles'],
  [8, '家具家装', 'Furniture and decoration'],
  [9, '服饰内衣', 'Clothing and underwear'],
  [10, '鞋靴箱包', 'Shoes, boots and bags'],
  [11, '珠宝钟表', 'Jewelry and watches'],
  [12, '美妆个护', 'Beauty and personal care'],
  [13, '清洁洗护', 'Washing and cleaning'],
  [14, '食品零食', 'Food and snacks'],
  [15, '饮料冲调', 'Drinks and instant beverages'],
  [16, '酒类', 'Alcohol'],
  [17, '生鲜', 'Fresh food'],
  [18, '母婴', 'Mother and baby'],
  [19, '玩具乐器', 'Toys and instruments'],
  [20, '图书娱乐', 'Books and entertainment'],
  [21, '运动户外', 'Sports and outdoor'],
  [22, '汽车用品', 'Car supplies'],
  [23, '宠物', 'Pets'],
  [24, '健康保健', 'Health and supplements'],
]

/** Food, drinks, alcohol and fresh food. */
export const FOOD: ReadonlySet<number> = new Set([14, 15, 16, 17])
/** Appliances and kitchenware. */
export const COOKING: ReadonlySet<number> = new Set([4, 6])
export const PETS = 23
