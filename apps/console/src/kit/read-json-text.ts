/** The content of a file that people chose; throws a sentence when it is no JSON. Editors like to begin it with a mark. */
import { t } from '@ithings/contract/text.ts'
export function readJsonText(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new Error(t('不是有效的 JSON 文件'))
  }
}
