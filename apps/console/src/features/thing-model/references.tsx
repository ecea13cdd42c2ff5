/** What refers to a function: said beside its type, and asked before it is deleted or changes its type. */

import { InfoCircleOutlined } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { listSchemaReferences } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Popover } from 'antd'
import type { ReactNode } from 'react'
import { numberText } from '#kit/number-text.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { referencesQuery } from './queries.ts'

type Reference = DataOf<typeof listSchemaReferences>['list'][number]

/** One thing may refer to several of the functions that were asked about: it is named and counted once. */
export function distinctReferences(list: readonly Reference[]): Omit<Reference, 'identifier'>[] {
  const found = new Map<string, Omit<Reference, 'identifier'>>()
  for (const { kind, title, count } of list) {
    const key = JSON.stringify([kind, title])
    found.set(key, { kind, title, count: Math.max(count, found.get(key)?.count ?? 0) })
  }
  return [...found.values()]
}

/** 486 个设备、2 个场景 */
export function referenceWords(list: readonly Reference[]): string {
  const counts = new Map<string, number>()
  for (const { kind, count } of distinctReferences(list)) counts.set(kind, (counts.get(kind) ?? 0) + count)
  return [...counts].map(([kind, count]) => t('{count, number} 个{kind}', { count, kind: t(kind) })).join(t('、'))
}

function ReferenceList({ list }: { list: readonly Reference[] }) {
  return (
    <ul className="reference-list scroll bare-list">
      {distinctReferences(list).map(({ kind, title, count }) => (
        <li key={`${kind}/${title}`} className="flex gap-12">
          <span className="quiet" style={{ minWidth: 64 }}>
            {t(kind)}
          </span>
          <span className="grow anywhere">{title}</span>
          <span>{numberText(count)}</span>
        </li>
      ))}
    </ul>
  )
}

export function ReferenceNote({ productID, identifier }: { productID: string; identifier: string }) {
  const { data } = useQuery(referencesQuery(productID, [identifier]))
  if (!data || data.list.length === 0) return null
  return (
    <span>
      <InfoCircleOutlined aria-hidden="true" />{' '}
      {t('{references}正在使用 {identifier}，改变类型会影响它们。', {
        references: referenceWords(data.list),
        identifier,
      })}
      <Popover trigger="click" title={t('引用')} content={<ReferenceList list={data.list} />}>
        <button type="button" className="plain-button after-4 tone-processing">
          {t('查看引用')}
        </button>
      </Popover>
    </span>
  )
}

interface ReferenceQuestion {
  identifier: string
  title: string
  consequence: string
  okText: string
}

function ReferenceAnswer({ list, failure, consequence }: { list: Reference[]; failure: string; consequence: string }) {
  let found: ReactNode = <p className="meta">{t('没有发现引用。')}</p>
  if (failure) found = <Alert type="warning" showIcon title={t('没能查到引用：{reason}', { reason: failure })} />
  else if (list.length > 0) {
    found = (
      <>
        <p>{t('{references}正在使用它：', { references: referenceWords(list) })}</p>
        <ReferenceList list={list} />
      </>
    )
  }
  return (
    <div className="reference-answer">
      <p>{consequence}</p>
      {found}
    </div>
  )
}

/** Asks the platform first, then the person; false when they think better of it. */
export function useReferenceCheck(productID: string): (question: ReferenceQuestion) => Promise<boolean> {
  const client = useQueryClient()
  const { modal } = App.useApp()
  return async ({ identifier, title, consequence, okText }) => {
    let list: Reference[] = []
    let failure = ''
    try {
      list = (await client.fetchQuery({ ...referencesQuery(productID, [identifier]), staleTime: 0 })).list
    } catch (error) {
      failure = describeError(error).reason
    }
    return await modal.confirm({
      title,
      content: <ReferenceAnswer list={list} failure={failure} consequence={consequence} />,
      okText,
      okButtonProps: { danger: true },
      cancelText: t('取消'),
      focusable: { autoFocusButton: 'cancel' },
    })
  }
}

/** Who would notice that functions go or change their type, as a sentence; empty when nobody does. */
export function useLossWarning(productID: string): (identifiers: string[]) => Promise<string> {
  const client = useQueryClient()
  return async (identifiers) => {
    try {
      const asked = referencesQuery(productID, identifiers.slice(0, 500))
      const references = referenceWords((await client.fetchQuery({ ...asked, staleTime: 0 })).list)
      return references && t('{references}正在使用将移除或改变类型的功能。', { references })
    } catch (error) {
      return t('没能查到引用（{reason}），可能有设备或规则正在使用将移除或改变类型的功能。', {
        reason: describeError(error).reason,
      })
    }
  }
}
