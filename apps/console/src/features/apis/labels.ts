import { HttpMethod, httpMethodLabels } from '@ithings/contract/endpoint.ts'

export const methodOptions = Object.values(HttpMethod).map((value) => ({ value, label: httpMethodLabels[value] }))

/** Why a built-in row cannot be changed; the same words in the tooltip of both actions. */
export const builtInHint = '平台自带的接口，每次启动时由程序登记，不能修改或删除'
