import { t } from '@ithings/contract/text.ts'

/** Names of the members of a definition, for the lists of what an import or a version changes. */
const words: Readonly<Record<string, string>> = {
  name: '名称',
  desc: '描述',
  required: '必选',
  mode: '读写类型',
  type: '类型',
  dir: '调用方向',
  isUseShadow: '设备影子',
  isNoRecord: '历史记录',
  mapping: '取值说明',
  min: '最小值',
  max: '最大值',
  start: '初始值',
  step: '步长',
  unit: '单位',
  specs: '成员',
  arrayInfo: '元素',
  params: '参数',
  input: '调用参数',
  output: '返回参数',
}

/** Members that only hold others. */
const silent = new Set(['define', 'dataType'])
/** What stands behind these is the name or key of an item, not a word of ours. */
const lists = new Set(['specs', 'params', 'input', 'output', 'mapping'])

/** `params.level.define.max` reads 参数 level 最大值. */
export function fieldWords(path: string): string {
  const parts = path.split('.')
  return parts
    .flatMap((part, index) => {
      const item = lists.has(parts[index - 1] ?? '')
      return !item && silent.has(part) ? [] : [item ? part : t(words[part] ?? part, { context: 'model' })]
    })
    .join(' ')
}
