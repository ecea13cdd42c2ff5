import { SearchOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Input } from 'antd'
import type { ReactNode } from 'react'
import { RichText } from '#kit/rich-text.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'

interface RightsPanelProps {
  title: string
  held: number
  total: number
  keyword: string
  onKeyword: (keyword: string) => void
  placeholder: string
  /** Beside the search field. */
  filter?: ReactNode
  /** Between the head and the tree. */
  notice?: ReactNode
  /** Search or filter leave something out: 全选 takes only what is shown. */
  narrowed: boolean
  readOnly: boolean
  onAll: (on: boolean) => void
  /** Search or filter found nothing. */
  nothing: boolean
  onClear: () => void
  children: ReactNode
}

/** One half of the editor: count, search, all or none, and the tree. */
export function RightsPanel(props: RightsPanelProps) {
  return (
    <section className="sheet min-0 column shrink" aria-label={props.title}>
      <header className="high-48 row gap-12" style={{ padding: '0 16px' }}>
        <h2 className="subtitle">{props.title}</h2>
        <span className="meta">
          <RichText
            text={t('已选 <0>{held}</0> / {total}', { held: props.held, total: props.total })}
            parts={[<b key="held" />]}
          />
        </span>
        {!props.readOnly && (
          <span className="to-end">
            <Button type="text" size="small" onClick={() => props.onAll(true)}>
              {props.narrowed ? t('全选结果') : t('全选')}
            </Button>
            <Button type="text" size="small" onClick={() => props.onAll(false)}>
              {props.narrowed ? t('清空结果') : t('清空')}
            </Button>
          </span>
        )}
      </header>
      <div className="line-bottom flex gap-8" style={{ padding: '0 16px 12px' }}>
        <Input
          allowClear
          prefix={<SearchOutlined />}
          placeholder={props.placeholder}
          aria-label={props.placeholder}
          value={props.keyword}
          onChange={(event) => props.onKeyword(event.target.value)}
        />
        {props.filter}
      </div>
      {props.notice}
      <div className="rights-tree min-0 grow pad-8 scroll">
        {props.nothing ? (
          <StateBlock
            variant="no-match"
            title={t('没有符合条件的结果')}
            action={<Button onClick={props.onClear}>{t('清空筛选')}</Button>}
            compact
          />
        ) : (
          props.children
        )}
      </div>
    </section>
  )
}

/** The searched part of a text, marked. */
export function Marked({ text, keyword }: { text: string; keyword: string }) {
  const wanted = keyword.trim().toLowerCase()
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  )
}
