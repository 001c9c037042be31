/** What goods are made of and can do, in the words of shoppers; more comes from the taxonomy. */
import { list } from './words.ts'

export const MATERIALS = list(`塑料|不锈钢|304不锈钢|316不锈钢|玻璃|高硼硅玻璃|陶瓷|硅胶|液态硅胶|真皮|头层牛皮|牛皮|皮质|皮革|pu皮|人造革
    |羊皮|麂皮|帆布|牛津布
    |尼龙|涤纶|聚酯纤维|纯棉|全棉|棉麻|亚麻|棉|羊毛|羊绒|羽绒|鹅绒|鸭绒|真丝|桑蚕丝|蚕丝|丝绸|冰丝|莫代尔|天丝|竹纤维|法兰绒|珊瑚绒|乳胶|记忆棉|海绵|实木|原木|橡木
    |胡桃木|松木|密度板|颗粒板|竹|竹制|竹子|藤编|铝合金|太空铝|碳钢|碳纤维|碳素|钛|纯钛|钛合金|铸铁|精铁|锌合金|铜|纯铜|黄铜|纯银|925银|银|黄金|铂金|合金|铁
    |钢|木头|木质|大理石|岩板|亚克力
    |麦饭石|珐琅|搪瓷|橡胶|绒面|灯芯绒|牛仔|雪纺|蕾丝|泡沫|树脂|夜光|金属
    |plastic|stainless steel|steel|glass|ceramic|silicone|leather|genuine leather|faux leather
    |suede|canvas|nylon|polyester
    |cotton|100% cotton|linen|wool|cashmere|down|silk|bamboo|latex|memory foam|foam|solid wood
    |wood|wooden|oak|walnut|pine
    |aluminum|aluminium|carbon steel|carbon fiber|titanium|cast iron|iron|copper|brass|silver
    |sterling silver|gold|rubber
    |acrylic|marble|velvet|fleece|denim|metal|paper|rattan|mesh`)
export const COLOURS = list(`白色|黑色|红色|蓝色|绿色|黄色|粉色|粉红色|粉红|紫色|灰色|棕色|橙色|橘色|银色|金色|玫瑰金|米色|米白|米白色|奶白|奶白色
    |卡其色|卡其|咖啡色|咖色
    |藏青|藏青色|深蓝|深蓝色|浅蓝|浅蓝色|天蓝|天蓝色|墨绿|墨绿色|军绿|军绿色|酒红|酒红色|香槟金|香槟色|青色|杏色|驼色|裸色|透明|彩色|纯色|深色|浅色|黑白|奶油色
    |莫兰迪色|雾霾蓝|薄荷绿|深灰|浅灰|藏蓝|藏蓝色|宝蓝|宝蓝色|深红|暗红|枣红|枣红色|深绿|浅绿|浅粉|深紫|浅紫
    |白的|黑的|红的|蓝的|绿的|粉的|紫的|灰的|大红|纯黑|纯白|曜石黑
    |white|black|red|blue|green|yellow|pink|purple|grey|gray|brown|orange|beige|navy|navy blue
    |khaki|transparent|clear
    |rose gold|dark blue|light blue|colorful`)
export const FEATURES = list(`静音|降噪|主动降噪|防水|防滑|防摔|防晒|防蓝光|防漏|防烫|防干烧|防臭|防蛀|防霉|防风|防雨|防油|防尘|防爆|防过敏|防脱
    |保温|恒温|加热|速热|快充|无线|有线|蓝牙|磁吸
    |折叠|可折叠|便携|轻便|轻薄|超薄|加厚|加大|加宽|加长|加绒|大容量|小容量|迷你|大号|中号|小号|大包|小包|大瓶|小瓶|大桶|大袋|特大号|大码|小码|宽松|修身|显瘦|高腰
    |长袖|短袖|无袖|圆领|v领
    |立领|连帽|厚底|平底
    |透气|速干|吸汗|吸水|保暖|弹力|免烫|免打孔|免安装|免洗|免充气|可拆洗|机洗|水洗|遥控|智能|定时|触控|触屏|语音|感应|自动|全自动|半自动|手动|电动|充电|充电式
    |插电|太阳能|变频|一级能效|节能|省电
    |护眼|无糖|低糖|低脂|低卡|0糖|0脂|0卡|零糖|零脂|零添加|无添加|无盐|低钠|无谷|无麸质|有机|纯天然|天然|无酒精|无香|无味|无香精|不含酒精|去屑|控油|补水|保湿
    |美白|祛痘|抗皱|温和|氨基酸|敏感肌可用
    |微辣|特辣|麻辣|香辣|原味|五香|奶香|草莓味|巧克力味|抹茶味|海盐味|深烘|中烘|浅烘|深度烘焙|半糖|全脂|脱脂|高钙|高蛋白|独立包装|独立小包装|散装|礼盒装|袋装|瓶装
    |罐装|整箱|家庭装|补充装|旅行装
    |情侣|情侣款|亲子|男士|女士|男式|女式|男款|女款|男|女|儿童款|成人款|中性|磨砂|哑光|亮面|高清|超清|全网通|双卡双待|nfc|红外
    |全面屏|曲面屏|曲屏|直屏|曲面|机械|红轴
    |青轴|茶轴|黑轴|热插拔|rgb|背光
    |一次性|可重复使用|不粘|不粘锅|不掉色|不起球|不漏水|不伤手|不伤牙|不刺激|不油腻|不辣|不甜|不卡|不褪色|不变形|无痕|无钢圈|无涂层|无油烟|无叶|无烟|低噪音|低音
    |重低音|头戴式|入耳式|挂耳式|骨传导|单人|双人|三人
    |全棉的|多功能|复古|简约|北欧|日式|中式|欧式|新中式|ins风|ins|可爱|卡通|国风|法式|韩版|港风|甜辣|通用|全自动的
    |wireless|wired|bluetooth|waterproof|water resistant|water-resistant|noise cancelling
    |noise canceling|noise-cancelling|noise-canceling
    |foldable|folding|portable|lightweight|quiet|silent|rechargeable|cordless|adjustable
    |non-stick|nonstick|non-slip|anti-slip
    |dishwasher safe|microwave safe|machine washable|washable|breathable|insulated
    |fast charging|magnetic|mechanical|ergonomic|organic|vegan
    |sugar free|sugar-free|gluten free|gluten-free|bpa free|bpa-free|fragrance free
    |fragrance-free|unscented|decaf|low fat
    |low-fat|whole grain|large|small|medium|extra large|mini|thick|thin|slim|short sleeve
    |long sleeve|backlit|disposable
    |reusable|double-walled|energy saving|soft|leakproof|leak-proof|usb-c|type-c|spicy
    |unsweetened|men's|women's|kids'|unisex
    |curved|retro|minimalist|automatic|manual|electric|smart`)
