import { t } from '@ithings/contract/text.ts'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import type { ActiveFilter } from './filter-values.ts'
import type { EmptyText } from './list-contract.ts'

interface ListBodyProps {
  subject: string
  error: unknown
  failed: boolean
  fetching: boolean
  onRetry: () => void
  forbiddenHelp: string | undefined
  loading: boolean
  skeleton: ReactNode
  empty: boolean
  emptyText: EmptyText
  active: readonly ActiveFilter[]
  onRemoveFilter: (name: string) => void
  onClearFilters: () => void
  children: ReactNode
}

/** Which of the designed states a list is in; the rows only when there are some. */
export function ListBody(props: ListBodyProps) {
  if (props.loading) return props.skeleton
  if (props.failed) {
    return (
      <ErrorState
        subject={props.subject}
        error={props.error}
        onRetry={props.onRetry}
        retrying={props.fetching}
        {...(props.forbiddenHelp !== undefined && { forbiddenHelp: props.forbiddenHelp })}
      />
    )
  }
  if (!props.empty) return props.children
  if (props.active.length > 0) {
    return (
      <StateBlock
        variant="no-match"
        title={t('没有符合条件的结果')}
        text={t('可以移除其中一个条件，或清空全部条件。')}
        extra={props.active.map((filter) => (
          <Tag key={filter.name} closable onClose={() => props.onRemoveFilter(filter.name)}>
            {t('{label}：{text}', { label: filter.label, text: filter.text })}
          </Tag>
        ))}
        action={<Button onClick={props.onClearFilters}>{t('清空筛选')}</Button>}
      />
    )
  }
  const { title, text, action } = props.emptyText
  return <StateBlock variant="empty" title={title} text={text} action={action} />
}
