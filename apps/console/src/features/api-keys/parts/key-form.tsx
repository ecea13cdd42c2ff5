import {
  type ApiKey,
  ownKeyBody,
  serviceKeyBody,
  updateKeyBody,
  usualPerMinute,
} from '@ithings/contract/features/api-keys.ts'
import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { useCreateOwnKey, useCreateServiceKey, useUpdateKey, type Whose } from '../queries.ts'
import { KeyFields, NameField, RoleField } from './key-fields.tsx'

interface FormProps {
  open: boolean
  onClose: () => void
}

const start = { apis: [], productID: '', groupID: 0, addresses: [], expiresTime: 0, perMinute: usualPerMinute }

/** @param onMade is told the key, which nobody can read again */
export function CreateOwnKeyForm({ open, onClose, onMade }: FormProps & { onMade: (key: string) => void }) {
  const create = useCreateOwnKey()
  return (
    <FormDrawer
      title={t('新增个人密钥')}
      open={open}
      onClose={onClose}
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

export function CreateServiceKeyForm({ open, onClose, onMade }: FormProps & { onMade: (key: string) => void }) {
  const create = useCreateServiceKey()
  return (
    <FormDrawer
      title={t('新增服务账号')}
      open={open}
      onClose={onClose}
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

export function EditKeyForm({ apiKey, whose, open, onClose }: FormProps & { apiKey: ApiKey; whose: Whose }) {
  const { message } = App.useApp()
  const update = useUpdateKey(whose)
  const { id, rev, name, apis, productID, groupID, addresses, expiresTime, perMinute } = apiKey
  return (
    <FormDrawer
      title={t('编辑 API 密钥「{name}」', { name })}
      open={open}
      onClose={onClose}
      schema={updateKeyBody}
      initialValues={{ id, rev, name, apis, productID, groupID, addresses, expiresTime, perMinute }}
      onSubmit={async (values) => {
        await update.mutateAsync({ ...values, id, rev })
        void message.success(t('更新成功'))
      }}
    >
      <NameField />
      <KeyFields />
    </FormDrawer>
  )
}
