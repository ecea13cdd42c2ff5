/** A product without a picture gets the drawing that fits its name, else the one of its device type. Pure. */
import type { MenuIcon } from '@ithings/contract/features/menus.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'

const byWord: readonly [RegExp, MenuIcon][] = [
  [/网关|路由|基站|gateway/i, 'icon_ap'],
  [/污水|排水|雨水/, 'icon_sewage'],
  [/加药|药剂|投加/, 'icon_dosing'],
  [/空调|暖通|风机|新风|通风|HVAC/i, 'icon_hvac'],
  [/水|泵|阀|液位/, 'icon_feedwater'],
  [/电表|配电|电能|电气|电源|充电|光伏|电力|电流/, 'icon_electric'],
  [/温|热|冷链|锅炉/, 'icon_heat'],
  [/空气|环境|土壤|气象|农/, 'icon_ecosystem'],
  [/采集|记录|监测|追踪|分析/, 'icon_data_01'],
]

export function productIcon({ productName, deviceType }: { productName: string; deviceType: number }): MenuIcon {
  const found = byWord.find(([words]) => words.test(productName))
  if (found) return found[1]
  return deviceType === DeviceType.gateway ? 'icon_ap' : 'icon_device'
}
