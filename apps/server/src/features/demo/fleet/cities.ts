/** Where the demo devices stand: cities of China, and for whoever does not read Chinese as many of the world. */
import type { Language } from '@ithings/contract/text.ts'

export interface DemoCity {
  city: string
  /** Of the world: the country. */
  province: string
  longitude: number
  latitude: number
  /** Of the country or of the world, as groups and tags name it. */
  region: string
}

// One place a line. Names of places are no texts to translate (the words "not a text" are for the check).
const china = `
上海, 上海市, 121.47, 31.23, 华东
杭州, 浙江省, 120.16, 30.27, 华东
南京, 江苏省, 118.8, 32.06, 华东
苏州, 江苏省, 120.62, 31.3, 华东
宁波, 浙江省, 121.55, 29.87, 华东
合肥, 安徽省, 117.23, 31.82, 华东
济南, 山东省, 117.0, 36.65, 华东
青岛, 山东省, 120.38, 36.07, 华东
北京, 北京市, 116.4, 39.9, 华北
天津, 天津市, 117.2, 39.13, 华北
石家庄, 河北省, 114.51, 38.04, 华北
太原, 山西省, 112.55, 37.87, 华北
沈阳, 辽宁省, 123.43, 41.8, 华北
哈尔滨, 黑龙江省, 126.64, 45.76, 华北
郑州, 河南省, 113.62, 34.75, 华北
广州, 广东省, 113.26, 23.13, 华南
深圳, 广东省, 114.06, 22.55, 华南
厦门, 福建省, 118.09, 24.48, 华南
福州, 福建省, 119.3, 26.08, 华南
南宁, 广西壮族自治区, 108.37, 22.82, 华南
海口, 海南省, 110.2, 20.04, 华南
长沙, 湖南省, 112.94, 28.23, 华南
武汉, 湖北省, 114.31, 30.59, 华南
成都, 四川省, 104.07, 30.57, 西部
重庆, 重庆市, 106.55, 29.56, 西部
西安, 陕西省, 108.94, 34.34, 西部
昆明, 云南省, 102.83, 24.88, 西部
贵阳, 贵州省, 106.63, 26.65, 西部
兰州, 甘肃省, 103.83, 36.06, 西部
乌鲁木齐, 新疆维吾尔自治区, 87.62, 43.82, 西部`

const world = `
London, United Kingdom, -0.13, 51.51, Europe
Manchester, United Kingdom, -2.24, 53.48, Europe
Paris, France, 2.35, 48.86, Europe
Berlin, Germany, 13.41, 52.52, Europe
Munich, Germany, 11.58, 48.14, Europe
Madrid, Spain, -3.7, 40.42, Europe
Milan, Italy, 9.19, 45.46, Europe
Stockholm, Sweden, 18.07, 59.33, Europe
New York, United States, -74.01, 40.71, Americas
Chicago, United States, -87.63, 41.88, Americas
Houston, United States, -95.37, 29.76, Americas
Los Angeles, United States, -118.24, 34.05, Americas
Seattle, United States, -122.33, 47.61, Americas
Toronto, Canada, -79.38, 43.65, Americas
Mexico City, Mexico, -99.13, 19.43, Americas
Bogotá, Colombia, -74.07, 4.71, Americas
São Paulo, Brazil, -46.63, -23.55, Americas
Buenos Aires, Argentina, -58.38, -34.6, Americas
Tokyo, Japan, 139.69, 35.69, Asia Pacific
Seoul, South Korea, 126.98, 37.57, Asia Pacific
Singapore, Singapore, 103.82, 1.35, Asia Pacific
Mumbai, India, 72.88, 19.08, Asia Pacific
Bengaluru, India, 77.59, 12.97, Asia Pacific
Shanghai, China, 121.47, 31.23, Asia Pacific
Sydney, Australia, 151.21, -33.87, Asia Pacific
Auckland, New Zealand, 174.76, -36.85, Asia Pacific
Dubai, United Arab Emirates, 55.27, 25.2, Middle East & Africa
Cairo, Egypt, 31.24, 30.04, Middle East & Africa
Nairobi, Kenya, 36.82, -1.29, Middle East & Africa
Johannesburg, South Africa, 28.05, -26.2, Middle East & Africa`

const toCities = (table: string): readonly DemoCity[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [city = '', province = '', longitude, latitude, region = ''] = line.split(', ')
      return { city, province, longitude: Number(longitude), latitude: Number(latitude), region }
    })

const cities: Record<Language, readonly DemoCity[]> = { zh: toCities(china), en: toCities(world) }
export const citiesFor = (language: Language): readonly DemoCity[] => cities[language]
export const regionsFor = (language: Language): string[] => [...new Set(cities[language].map(({ region }) => region))]
