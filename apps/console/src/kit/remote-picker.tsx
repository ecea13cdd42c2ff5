import { t } from '@ithings/contract/text.ts'
import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Button, Select, Spin } from 'antd'
import { type ReactNode, type UIEvent, useEffect, useRef, useState } from 'react'
import { useMemo } from '#language/use-memo.ts'
import './parts.css'
import { useLocked } from './rights.tsx'
import { describeError } from './states/describe-error.ts'
import { loadMoreThreshold } from './states/load-more.tsx'

export interface PickerOption {
  value: string
  label: string
  /** A second, quieter text: an id. */
  hint?: string
  disabled?: boolean
}

export interface PickerSource {
  /** Names the source in the query cache. */
  key: readonly unknown[]
  /** One page of what matches; the server searches. */
  search: (input: { text: string; page: number; size: number }) => Promise<{ list: PickerOption[]; total: number }>
  /** Labels of values that were chosen before and are not among the loaded ones. */
  resolve?: (values: string[]) => Promise<PickerOption[]>
}

type Chosen = { multiple?: false; value?: string | undefined; onChange?: (value: string | undefined) => void }
type ManyChosen = { multiple: true; value?: string[] | undefined; onChange?: (values: string[]) => void }

export type RemotePickerProps = (Chosen | ManyChosen) & {
  source: PickerSource
  placeholder?: string
  allowClear?: boolean
  /** Without it as the part of the page that it stands in. */
  disabled?: boolean
  id?: string
  'aria-label'?: string
  /** Below the options. */
  foot?: (close: () => void) => ReactNode
}

const pageSize = 20
const typingPause = 300

function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingPause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function usePages(source: PickerSource, text: string, open: boolean) {
  return useInfiniteQuery({
    queryKey: [...source.key, 'picker', text],
    enabled: open,
    initialPageParam: 1,
    queryFn: ({ pageParam }) => source.search({ text, page: pageParam, size: pageSize }),
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.list.length, 0)
      return last.list.length > 0 && loaded < last.total ? pages.length + 1 : undefined
    },
  })
}

/** What chosen values are called. Whoever names the same values elsewhere on the screen asks by it, too: once for both. */
export const labelsQuery = ({ key, resolve }: PickerSource, values: readonly string[]) =>
  queryOptions({
    queryKey: [...key, 'picker-labels', values],
    enabled: values.length > 0 && resolve !== undefined,
    queryFn: async () => (await resolve?.([...values])) ?? [],
  })

/** Every option ever seen, so that a chosen value keeps its name when the search moves on. */
function useKnown(seen: readonly PickerOption[], values: readonly string[], source: PickerSource) {
  const known = useRef(new Map<string, PickerOption>())
  for (const option of seen) known.current.set(option.value, option)
  const missing = values.filter((value) => !known.current.has(value))
  const resolved = useQuery(labelsQuery(source, missing))
  for (const option of resolved.data ?? []) known.current.set(option.value, option)
  return known.current
}

/** A select whose options stay on the server: searched there, loaded page by page on scrolling. */
export function RemotePicker(props: RemotePickerProps) {
  const { source, placeholder = t('请选择'), allowClear = true, id } = props
  const locked = useLocked()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const text = useDebounced(typed)
  const pages = usePages(source, text, open)
  const loaded = useMemo(() => pages.data?.pages.flatMap((page) => page.list) ?? [], [pages.data])
  const values = props.multiple ? (props.value ?? []) : props.value ? [props.value] : []
  const known = useKnown(loaded, values, source)
  const options = loaded.map((option) => ({ ...option, disabled: option.disabled ?? false }))

  const scrolled = (event: UIEvent<HTMLDivElement>) => {
    const { scrollTop, clientHeight, scrollHeight } = event.currentTarget
    const near = scrollHeight - scrollTop - clientHeight <= loadMoreThreshold
    if (near && pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage()
  }
  const labelOf = (value: string) => ({ value, label: known.get(value)?.label ?? value })
  const waiting = pages.isPending || typed !== text
  return (
    <Select
      id={id}
      aria-label={props['aria-label']}
      mode={props.multiple ? 'multiple' : undefined}
      labelInValue
      value={props.multiple ? values.map(labelOf) : values[0] ? labelOf(values[0]) : undefined}
      onChange={(picked: { value: string }[] | { value: string } | undefined) => {
        const list = [picked].flat().flatMap((one) => (one ? [one.value] : []))
        if (props.multiple) props.onChange?.(list)
        else props.onChange?.(list[0])
      }}
      options={options}
      optionRender={({ data }) => (
        <span className="flex between gap-12">
          <span>{data.label}</span>
          {data.hint && <span className="mono quiet">{data.hint}</span>}
        </span>
      )}
      showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        if (!next) setTyped('')
      }}
      onPopupScroll={scrolled}
      placeholder={placeholder}
      allowClear={allowClear}
      disabled={props.disabled || locked}
      notFoundContent={
        pages.isError ? (
          <span className="picker-state row center quiet">
            {describeError(pages.error).reason}
            <Button type="link" size="small" onClick={() => void pages.refetch()}>
              {t('重试')}
            </Button>
          </span>
        ) : (
          <span className="picker-state row center quiet">{waiting ? <Spin size="small" /> : t('没有匹配的选项')}</span>
        )
      }
      popupRender={(menu) => (
        <>
          {menu}
          {pages.isFetchingNextPage && (
            <div className="picker-more row center">
              <Spin size="small" />
            </div>
          )}
          {props.foot?.(() => setOpen(false))}
        </>
      )}
      style={{ width: '100%' }}
    />
  )
}
