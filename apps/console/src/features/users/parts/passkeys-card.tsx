import { KeyOutlined } from '@ant-design/icons'
import { type Passkey, renamePasskeyBody } from '@ithings/contract/features/passkeys.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Input } from 'antd'
import { useState } from 'react'
import { configQuery } from '#api/session-query.ts'
import { useConfirm } from '#kit/confirm.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import {
  passkeysQuery,
  refreshAccount,
  secondFactorQuery,
  useRemovePasskey,
  useRenamePasskey,
} from '../account-queries.ts'
import { passkeyReach } from '../passkey-reach.ts'
import { AddPasskey } from './add-passkey.tsx'

const renameSchema = renamePasskeyBody.pick({ name: true })

function PasskeyRow(props: { passkey: Passkey; onRename: () => void; onRemove: () => void }) {
  const { name, createdTime, usedTime, backedUp } = props.passkey
  return (
    <li className="session-row line-above row wrap gap-12">
      <span className="quiet size-20">
        <KeyOutlined />
      </span>
      <div className="column grow shrink" style={{ flexBasis: 200 }}>
        <span className="session-name flex wrap anywhere">
          {name}
          {backedUp && <StatusTag text={t('多设备同步')} tone="default" />}
        </span>
        <span className="session-facts flex wrap meta">
          <span>
            {t('添加于')} <TimeText value={createdTime} mode="exact" />
          </span>
          <span>
            {t('最近使用')} <TimeText value={usedTime} />
          </span>
        </span>
      </div>
      <div className="flex gap-8">
        <Button onClick={props.onRename} aria-label={t('重命名通行密钥 {name}', { name })}>
          {t('重命名')}
        </Button>
        <Button onClick={props.onRemove} aria-label={t('移除通行密钥 {name}', { name })}>
          {t('移除')}
        </Button>
      </div>
    </li>
  )
}

function RenameModal({ passkey, onClose }: { passkey: Passkey | undefined; onClose: () => void }) {
  const { message } = App.useApp()
  const rename = useRenamePasskey()
  return (
    <FormModal
      title={t('重命名通行密钥')}
      open={passkey !== undefined}
      onClose={onClose}
      schema={renameSchema}
      initialValues={{ name: passkey?.name ?? '' }}
      onSubmit={async ({ name }) => {
        await rename.mutateAsync({ id: passkey?.id ?? '', name })
        void message.success(t('更新成功'))
      }}
      layout="vertical"
      width={440}
    >
      <Field name="name" label={t('名称')}>
        <Input maxLength={32} showCount />
      </Field>
    </FormModal>
  )
}

/** Why none can be added here; undefined: one can. */
function obstacle(origin: string): string | undefined {
  switch (passkeyReach(origin)) {
    case 'nowhere':
      return t('平台须通过域名和 HTTPS 访问（PUBLIC_URL），才能使用通行密钥')
    case 'elsewhere':
      return t('通行密钥只能在 {origin} 添加和使用', { origin })
    case 'unsupported':
      return t('这个浏览器不支持通行密钥')
    default:
      return undefined
  }
}

/** 通行密钥: what signs in without a password. */
export function PasskeysCard() {
  const client = useQueryClient()
  const confirm = useConfirm()
  const query = useQuery(passkeysQuery)
  const { data, error } = query
  const { data: factor } = useQuery(secondFactorQuery)
  const { data: config } = useQuery(configQuery)
  const remove = useRemovePasskey()
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Passkey>()
  const refused = config && obstacle(config.passkeyOrigin)
  const first = factor !== undefined && !factor.enabled && factor.passkeys === 0
  const askRemove = ({ id, name }: Passkey) =>
    confirm({
      title: t('移除通行密钥「{name}」？', { name }),
      content: t('移除后不能再用它登录。也请在保存它的设备或密码管理器里删除。'),
      danger: true,
      okText: t('移除'),
      onOk: () => remove.mutateAsync(id),
      done: t('通行密钥已移除', { context: 'single' }),
    })
  return (
    <section className="sheet profile-card" aria-labelledby="passkeys-title">
      <div className="row wrap between" style={{ gap: '12px 16px' }}>
        <div className="column grow shrink">
          <h2 id="passkeys-title" className="title">
            {t('通行密钥')}
          </h2>
          <span className="meta">{t('用指纹、面容或 PIN 登录，不需要密码；也可以代替两步验证码')}</span>
        </div>
        <Button onClick={() => setAdding(true)} disabled={!config || !factor || refused !== undefined}>
          {t('添加')}
        </Button>
      </div>
      {refused && <p className="meta bare above-12 anywhere">{refused}</p>}
      {error && !data && <QueryError subject={t('通行密钥')} query={query} />}
      {!data && !error && <PageSpinner />}
      {data && data.total > 0 && (
        <ul className="bare-list above-12">
          {data.list.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenaming(passkey)}
              onRemove={() => askRemove(passkey)}
            />
          ))}
        </ul>
      )}
      <AddPasskey
        open={adding}
        first={first}
        name={t('通行密钥 {number}', { number: (data?.total ?? 0) + 1 })}
        onClose={() => setAdding(false)}
        onDone={() => void refreshAccount(client)}
      />
      <RenameModal passkey={renaming} onClose={() => setRenaming(undefined)} />
    </section>
  )
}
