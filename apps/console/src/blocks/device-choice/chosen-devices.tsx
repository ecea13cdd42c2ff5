import { CloseOutlined, SearchOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Input, Pagination } from 'antd'
import { useState } from 'react'
import { RichText } from '#kit/rich-text.tsx'
import './device-choice.css'

interface ChosenDevicesProps {
  names: readonly string[]
  max: number
  /** Names of which the platform says that there are none such. */
  unknown: readonly string[]
  onRemove: (names: readonly string[]) => void
}

const pageSize = 10

/** The right side of the transfer: what is chosen, the unknown ones first. */
export function ChosenDevices({ names, max, unknown, onRemove }: ChosenDevicesProps) {
  const [text, setText] = useState('')
  const [asked, setPage] = useState(1)
  const gone = new Set(unknown)
  const ordered = gone.size > 0 ? [...names].sort((a, b) => Number(gone.has(b)) - Number(gone.has(a))) : names
  const wanted = text.trim().toLowerCase()
  const shown = ordered.filter((name) => name.toLowerCase().includes(wanted))
  const page = Math.min(asked, Math.max(1, Math.ceil(shown.length / pageSize)))
  return (
    <section className="boxed clip container-fill column shrink choice-chosen">
      <header className="choice-head row between gap-12">
        <span className="choice-title nowrap bold">
          <RichText
            text={t('已选 <0>{chosen, number}</0> <1>/ {max, number} 台</1>', { chosen: names.length, max })}
            parts={[<b key="chosen" className="link" />, <span key="max" className="meta regular" />]}
          />
        </span>
        <Button type="link" size="small" disabled={names.length === 0} onClick={() => onRemove(names)}>
          {t('清空')}
        </Button>
      </header>
      <div className="choice-filters gap-8 grid choice-filters-one">
        <Input
          aria-label={t('在已选中查找')}
          placeholder={t('在已选中查找')}
          prefix={<SearchOutlined aria-hidden="true" />}
          allowClear
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setPage(1)
          }}
        />
      </div>
      {gone.size > 0 && (
        <div className="choice-unknown error-text row between" role="alert">
          {t('{count, number} 个名称在产品中不存在', { count: gone.size })}
          <Button type="link" size="small" onClick={() => onRemove(unknown)}>
            {t('移除')}
          </Button>
        </div>
      )}
      {shown.length === 0 ? (
        <p className="bare centered meta" style={{ padding: '24px 16px' }}>
          {names.length === 0 ? t('从左侧勾选，或粘贴名称、上传文件') : t('没有匹配的名称')}
        </p>
      ) : (
        <ul className="choice-names bare-list grow">
          {shown.slice((page - 1) * pageSize, page * pageSize).map((name) => (
            <li key={name} className={`row between gap-8 high-36 line-above ${gone.has(name) ? 'choice-gone' : ''}`}>
              <span className="mono" title={name}>
                {name}
              </span>
              <Button
                type="text"
                size="small"
                icon={<CloseOutlined />}
                aria-label={t('移除 {name}', { name })}
                onClick={() => onRemove([name])}
              />
            </li>
          ))}
        </ul>
      )}
      <footer className="choice-foot line-above row between gap-12">
        <span />
        <Pagination
          size="small"
          simple
          current={page}
          pageSize={pageSize}
          total={shown.length}
          showSizeChanger={false}
          onChange={setPage}
        />
      </footer>
    </section>
  )
}
