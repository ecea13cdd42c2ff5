import {
  type ApiKey,
  ownKeyBody,
  serviceKeyBody,
  updateKeyBody,
  usualPerMinute,
} from '@ithings/contract/features/api-keys.ts'
import { t } from '@ithings/contract/text.ts'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { useCreateOwnKey, useCreateServiceKey, useUpdateKey, type Whose } from '../queries.ts'
import { KeyFields, NameField, RoleField } from './key-fields.tsx'

const start = { apis: [], productID: '', groupID: 0, addresses: [], expiresTime: 0, perMinute: usualPerMinute }

/** @param onMade is told the key, which nobody can read again */
export function CreateOwnKeyForm({ onMade, ...opened }: Opened & { onMade: (key: string) => void }) {
  const create = useCreateOwnKey()
  return (
    <FormDrawer
      {...opened}
      title={t('新增个人密钥')}
      schema={ownKeyBody}
      initialValues={start}
      submitText={t('创建')}
      onSubmit={async (values) => onMade((await create.mutateAsync(values)).key)}
    >
      <NameField />
      <KeyFields />
    </FormDrawer>
  )
}

export function CreateServiceKeyForm({ onMade, ...opened }: Opened & { onMade: (key: string) => void }) {
  const create = useCreateServiceKey()
  return (
    <FormDrawer
      {...opened}
      title={t('新增服务账号')}
      schema={serviceKeyBody}
      initialValues={start}
      submitText={t('创建')}
      onSubmit={async (values) => onMade((await create.mutateAsync(values)).key)}
    >
      <NameField />
      <RoleField />
      <KeyFields />
    </FormDrawer>
  )
}

export function EditKeyForm({ apiKey, whose, ...opened }: Opened & { apiKey: ApiKey; whose: Whose }) {
  const update = useUpdateKey(whose)
  const { id, rev, name, apis, productID, groupID, addresses, expiresTime, perMinute } = apiKey
  return (
    <FormDrawer
      {...opened}
      title={t('编辑 API 密钥「{name}」', { name })}
      schema={updateKeyBody}
      initialValues={{ id, rev, name, apis, productID, groupID, addresses, expiresTime, perMinute }}
      onSubmit={(values) => update.mutateAsync({ ...values, id, rev })}
      done={t('更新成功')}
    >
      <NameField />
      <KeyFields />
    </FormDrawer>
  )
}
