/** What the result of a message means and what to do about it (screens.md 6.5: error codes with advice). Pure. */

import { type CatalogueError, errors } from '@ithings/contract/errors.ts'
import type { HubLogRow } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'

/** device-protocol.md: the code of success. */
export const successCode = 200

const texts = new Map<number, string>(Object.values(errors).map(({ code, msg }: CatalogueError) => [code, msg]))

const advices: Readonly<Record<number, string>> = {
  [errors.parameter.code]: '对照物模型检查标识符、数据类型和取值；只读属性不能设置。',
  [errors.type.code]: '按物模型定义的数据类型上报，例如数字不要加引号。',
  [errors.outOfRange.code]: '检查取值范围；时间戳须在保留期之内，且不能超前 10 分钟，可先对时。',
  [errors.method.code]: '检查 method 的拼写，以及它是否属于这个 Topic。',
  [errors.permission.code]: '设备只能使用自己的 Topic；网关只能代理已绑定的子设备。',
  [errors.notFound.code]: '检查产品、设备或标识符是否存在，子设备是否已绑定。',
  [errors.duplicate.code]: '相同的消息已经处理过，不用再发。',
  [errors.password.code]: '用设备密钥重新生成连接凭证。',
  [errors.signatureExpired.code]: '连接凭证已到期，重新生成后再连接。',
  [errors.notEnabled.code]: '设备或产品已停用，启用后再试。',
  [errors.script.code]: '到产品的「消息解析」里用这条原始数据调试脚本。',
  [errors.deviceTimeout.code]: '设备没有在 10 秒内回复：检查网络、设备是否订阅了下行 Topic，以及回复里的 clientToken。',
  [errors.timeout.code]: '平台没有及时存储，设备会重发；持续出现请检查数据库。',
  [errors.notOnline.code]: '设备上线后再发，或写入设备影子等它上线。',
  [errors.deviceError.code]: '设备拒绝了这条指令，看回复内容里的原因。',
  [errors.respParam.code]: '设备的回复不符合物模型，检查输出参数。',
  [errors.rateLimited.code]: '降低上报频率，或合并成一条消息上报。',
  [errors.quota.code]: '清理历史数据或扩大存储配额。',
}

/** The platform says this of payloads that no product script translates. */
const notJson = 'JSON'
const notJsonAdvice = '检查括号、引号和逗号；二进制数据要发到 custom Topic，并在产品里发布解析脚本。'

export interface ResultView {
  ok: boolean
  code: number
  /** The sentence of the platform, else of the catalogue. */
  text: string
  advice: string
}

/** http-api.md 4.4: "200" is success, anything else the code of the refusal. */
export function resultOf({ resultType, msg }: Pick<HubLogRow, 'resultType' | 'msg'>): ResultView {
  const code = Number(resultType)
  // Rows without a result (connections) carry 0.
  if (code === successCode || code === 0) return { ok: true, code: successCode, text: t('成功'), advice: '' }
  const text = msg || t(texts.get(code) ?? '') || t('未知错误({code})', { code })
  const advice = t(code === errors.parameter.code && msg.includes(notJson) ? notJsonAdvice : (advices[code] ?? ''))
  return { ok: false, code, text, advice }
}
