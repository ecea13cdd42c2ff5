import { builtInRoleLabels } from '@ithings/contract/features/users.ts'
import { Button } from 'antd'
import { StateBlock } from '#kit/states/state-block.tsx'
import type { Refusal } from '../session/access.ts'
import { useSession } from '../session/session-context.ts'
import { useGoBack } from './use-go-back.ts'

const roleName = (role: number): string =>
  (builtInRoleLabels as Record<number, string | undefined>)[role] ?? `编号 ${role} 的角色`

/** A route the user may not open, inside the layout: what is missing and whom to ask (mockup 07). */
export function Forbidden({ title, path, refusal }: { title: string; path: string; refusal: Refusal }) {
  const { info } = useSession()
  const goBack = useGoBack()
  const text =
    refusal === 'needs-admin'
      ? `需要角色 ${builtInRoleLabels[1]}，你的角色是 ${roleName(info.role)}。请联系管理员开通。`
      : `你的角色 ${roleName(info.role)} 没有这个菜单。请联系管理员在「角色管理」中分配。`
  return (
    <div className="sheet">
      <StateBlock
        variant="forbidden"
        title={`你没有查看「${title}」的权限`}
        text={text}
        extra={<span className="state-request-id mono-payload">{path}</span>}
        action={<Button onClick={goBack}>返回上一页</Button>}
      />
    </div>
  )
}
