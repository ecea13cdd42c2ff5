/** What waits for administrators, in their bell: pages that people ask for, and how many plans there are to approve. */

import {
  type AccessRequest,
  closeAccessRequest,
  listAccessRequests,
} from '@ithings/contract/features/access-requests.ts'
import { t } from '@ithings/contract/text.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { Link } from 'react-router'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { rolePath } from '#kit/paths.ts'
import { RichText } from '#kit/rich-text.tsx'
import { useMay } from '#kit/rights.tsx'
import { TimeText } from '#kit/time-text.tsx'

const requestsQuery = queryOptions({
  ...endpointQuery(listAccessRequests, {}, { quiet: true }),
  refetchInterval: 60_000,
})

/** Nothing for those who could do nothing about it. */
export function useWaiting(): { requests: AccessRequest[]; plans: number } {
  const may = useMay()
  const enabled = may(listAccessRequests) && may(closeAccessRequest)
  const { data } = useQuery({ ...requestsQuery, enabled })
  return { requests: data?.list ?? [], plans: data?.plans ?? 0 }
}

export function AccessRequests({ onLeave }: { onLeave: () => void }) {
  const { requests: list } = useWaiting()
  const client = useQueryClient()
  const close = useMutation({
    mutationFn: ({ userID, path }: AccessRequest) => call(closeAccessRequest, { userID, path }),
    onSettled: () => client.invalidateQueries({ queryKey: requestsQuery.queryKey }),
  })
  if (list.length === 0) return null
  return (
    <section aria-label={t('权限申请')}>
      <b>{t('权限申请 {count}', { count: list.length })}</b>
      <ul className="bell-requests line-bottom scroll-y">
        {list.map((one) => (
          <li key={`${one.userID} ${one.path}`}>
            <span>
              <RichText
                text={t('{user}（<0/>）申请「{page}」', {
                  user: one.nickName || one.userName,
                  page: one.menuName || one.path,
                })}
                parts={[
                  <Link key="role" to={rolePath(one.role)} onClick={onLeave}>
                    {one.roleName}
                  </Link>,
                ]}
              />
              <span className="meta">
                {' '}
                <TimeText value={one.createdTime} />
              </span>
            </span>
            <Button size="small" loading={close.isPending && close.variables === one} onClick={() => close.mutate(one)}>
              {t('办结')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
