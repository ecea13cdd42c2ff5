import { askForAccess, readAccessHelp } from '@ithings/contract/features/access-requests.ts'
import { builtInRoleLabels } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Space } from 'antd'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { BackButton } from '#kit/states/back-button.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import type { Refusal } from '../session/access.ts'
import { useSession } from '../session/session-context.ts'
import { useScreenRow } from './use-menu.ts'

/** The first administrator is called so until somebody names him: what the server says in either language, not a text. */
const unnamed = ['管理员', 'Administrator']

const helpQuery = (path: string) => endpointQuery(readAccessHelp, { path }, { quiet: true })

/**
 * A route the user may not open, inside the layout: what is missing, whom to ask, and a button that asks
 * (screens.md 1.3).
 */
export function Forbidden({ title, path, refusal }: { title: string; path: string; refusal: Refusal }) {
  const { menu, previewing } = useSession()
  const row = useScreenRow()
  const client = useQueryClient()
  // Access is given by the list that a detail belongs to.
  const asked = row?.parent ?? row?.path ?? path
  const help = useQuery(helpQuery(asked))
  const ask = useMutation({
    mutationFn: () => call(askForAccess, { path: asked }),
    onSettled: () => client.invalidateQueries({ queryKey: helpQuery(asked).queryKey }),
  })
  const roleName = previewing?.name ?? help.data?.roleName
  const role = roleName ? t('你的角色「{roleName}」', { roleName }) : t('你的角色')
  const admin = builtInRoleLabels[1]
  const missing =
    refusal === 'needs-admin'
      ? t('这个页面只对「{admin}」角色开放，{role}不能打开', { admin, role })
      : menu.some((entry) => entry.path === asked)
        ? t('{role}不能读取这个页面的数据', { role })
        : t('{role}没有这个菜单', { role })
  const names = help.data?.administrators.filter((name) => !unnamed.includes(name)).join(t('、'))
  return (
    <div className="sheet">
      <StateBlock
        variant="forbidden"
        title={t('你没有查看「{subject}」的权限', { subject: title })}
        text={
          names
            ? t('{missing}。可以联系管理员（{names}），或在这里申请。', { missing, names })
            : t('{missing}。可以联系管理员，或在这里申请。', { missing })
        }
        extra={
          <span className="state-request-id inline-row small softer gap-8 round-4 grey-fill mono-payload">{path}</span>
        }
        action={
          <Space wrap>
            <BackButton />
            <Button
              type="primary"
              disabled={!help.data || help.data.asked}
              loading={ask.isPending}
              onClick={() => ask.mutate()}
            >
              {help.data?.asked ? t('已申请，等待管理员处理') : t('申请权限')}
            </Button>
          </Space>
        }
      />
    </div>
  )
}
