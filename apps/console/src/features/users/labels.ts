import { builtInRoleLabels, Sex, sexLabels } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'

export const sexOptions = () => Object.values(Sex).map((value) => ({ value, label: t(sexLabels[value]) }))

/** When the list of roles could not be read, built-in ones still have a name. */
export const fallbackRoleName = (role: number): string =>
  t((builtInRoleLabels as Record<number, string>)[role] ?? '角色 {role}', { role })

/** 张伟（zhangwei）: how dialogs name a person. */
export const personName = ({ userName, nickName }: { userName: string; nickName: string }): string =>
  nickName ? t('{nickName}（{userName}）', { nickName, userName }) : userName
