/** The account of the first start: its nickname is read in the language of the caller until somebody writes another. */
import { toEnglish } from '@ithings/contract/english.ts'
import { kept } from '@ithings/contract/text.ts'

export const firstAccount = 'administrator'
export const firstNickName = '管理员'

interface Named {
  user_name: string
  nick_name: string
}

const isFirst = ({ user_name, nick_name }: Named): boolean => user_name === firstAccount && nick_name === firstNickName

export const nickText = (user: Named): string => (isFirst(user) ? kept(firstNickName) : user.nick_name)

/** Who saves a form sends back what he read: that is no new name. */
export const asStored = (sent: string | undefined, user: Named): string | undefined =>
  isFirst(user) && sent === toEnglish(firstNickName) ? user.nick_name : sent
