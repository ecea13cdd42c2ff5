import { StarOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { App, Button, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import { SavedList } from '../saved-list.tsx'
import { requestTitle } from './recent-sends.tsx'
import { dropSaved, newToken, readSaved, type SavedRequest, type SendRequest, saveRequest } from './sends.ts'

const maxName = 40

/** Requests that somebody keeps, by product, in this browser. */
export function useSaved(productID: string) {
  const { message } = App.useApp()
  const [all, setAll] = useState(() => readSaved())
  const keep = (change: () => SavedRequest[], done: string) => {
    try {
      setAll(change())
      void message.success(done)
    } catch (error) {
      void message.error(describeError(error).reason)
    }
  }
  return {
    list: all.filter((one) => one.productID === productID),
    save: (name: string, request: SendRequest) =>
      keep(() => saveRequest({ ...request, id: newToken(), productID, name }), t('已收藏')),
    drop: (id: string) => keep(() => dropSaved(id), t('已移出收藏')),
  }
}

type Saved = ReturnType<typeof useSaved>

export const SavedRequests = ({ saved, onPick }: { saved: Saved; onPick: (request: SendRequest) => void }) => (
  <SavedList
    list={saved.list}
    noteOf={requestTitle}
    none={t('还没有收藏。填好一个请求后点「存为收藏」，下次直接取用。')}
    onPick={onPick}
    onDrop={({ id }) => saved.drop(id)}
  >
    <Button type="text" size="small" icon={<StarOutlined />}>
      {t('收藏')} {saved.list.length > 0 && saved.list.length}
    </Button>
  </SavedList>
)

/** Asks for a name and keeps what is in the form. */
export function SaveButton({ saved, request }: { saved: Saved; request: SendRequest | undefined }) {
  const id = useId()
  const [name, setName] = useState<string>()
  const save = () => {
    if (request && name?.trim()) saved.save(name.trim(), request)
    setName(undefined)
  }
  return (
    <>
      <Button disabled={!request} onClick={() => request && setName(requestTitle(request).slice(0, maxName))}>
        {t('存为收藏')}
      </Button>
      <Modal
        title={t('存为收藏')}
        open={name !== undefined}
        okText={t('保存')}
        okButtonProps={{ disabled: !name?.trim() }}
        onOk={save}
        onCancel={() => setName(undefined)}
        destroyOnHidden
      >
        <label htmlFor={id}>{t('名称')}</label>
        <Input
          id={id}
          value={name ?? ''}
          maxLength={maxName}
          onChange={(event) => setName(event.target.value)}
          onPressEnter={save}
        />
        <p className="meta">{t('只保存在这个浏览器里，同一产品的设备都能用；同名的会被替换。')}</p>
      </Modal>
    </>
  )
}
