import { describe, expect, test } from 'vitest'
import { foreignChange, makeSessionStore, sessionKeys } from './session-store.ts'
import { guardedStore, type TextStore } from './text-store.ts'

function memoryStorage(): Storage {
  const map = new Map<string, string>()
  return {
    get length() {
      return map.size
    },
    clear: () => map.clear(),
    getItem: (key) => map.get(key) ?? null,
    key: (index) => [...map.keys()][index] ?? null,
    removeItem: (key) => void map.delete(key),
    setItem: (key, value) => void map.set(key, value),
  }
}

function makeStores() {
  const storage = memoryStorage()
  const text: TextStore = guardedStore(() => storage)
  return { storage, store: makeSessionStore(text) }
}

describe('token renewal (spec 7, decisions.md 2)', () => {
  test('a returned token is saved under both keys', () => {
    const { storage, store } = makeStores()
    store.signIn('first', '7')
    store.renew('second')
    expect(storage.getItem(sessionKeys.token)).toBe('second')
    expect(storage.getItem(sessionKeys.alternate)).toBe('second')
    expect(store.token()).toBe('second')
  })

  test('a response without a token empties only the alternate key, so the renewed token lives on', () => {
    const { storage, store } = makeStores()
    store.signIn('first', '7')
    store.renew('second')
    store.renew(null)
    expect(storage.getItem(sessionKeys.alternate)).toBe('')
    expect(store.token()).toBe('second')
  })

  test('a token under the alternate key overrides the session token', () => {
    const { storage, store } = makeStores()
    store.signIn('first', '7')
    storage.setItem(sessionKeys.alternate, 'other')
    expect(store.token()).toBe('other')
  })

  test('signing in drops the alternate token of the former session', () => {
    const { store } = makeStores()
    store.renew('old')
    store.signIn('new', '8')
    expect(store.token()).toBe('new')
  })
})

test('the session is complete only with both stored values (spec 2)', () => {
  const { storage, store } = makeStores()
  expect(store.complete()).toBe(false)
  store.signIn('token', '7')
  expect(store.complete()).toBe(true)
  storage.removeItem(sessionKeys.userID)
  expect(store.complete()).toBe(false)
})

test('spec 7: token, user id and client id are stored under keys prefixed with the product name', () => {
  const { storage, store } = makeStores()
  store.signIn('token', '7')
  const guid = store.guid()
  store.renew('newer')
  const stored = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
  expect(Object.fromEntries(stored.map((key) => [key, storage.getItem(key)]))).toEqual({
    'iThings-token': 'newer',
    'iThings-UID': '7',
    'iThings-guid': guid,
    iThingsSetToken: 'newer',
  })
})

test('clearing the session keeps the client id, which is a UUID made once', () => {
  const { store } = makeStores()
  const guid = store.guid()
  expect(guid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  store.signIn('token', '7')
  store.clear()
  expect(store.token()).toBe('')
  expect(store.userID()).toBe('')
  expect(store.guid()).toBe(guid)
})

test('a browser that refuses storage still keeps the session for this visit', () => {
  const blocked = guardedStore(() => {
    throw new Error('denied')
  })
  const store = makeSessionStore(blocked)
  store.signIn('token', '7')
  expect(store.complete()).toBe(true)
  store.clear()
  expect(store.complete()).toBe(false)
})

test('a full storage does not hide the newer value behind the older stored one', () => {
  const storage = memoryStorage()
  const store = guardedStore(() => storage)
  store.set('k', 'old')
  storage.setItem = () => {
    throw new Error('quota')
  }
  store.set('k', 'new')
  expect(store.get('k')).toBe('new')
})

test('another tab that signs out or changes the user is noticed, a renewed token is not', () => {
  const { token, userID } = sessionKeys
  expect(foreignChange({ key: token, oldValue: 'a', newValue: null })).toBe('signed-out')
  expect(foreignChange({ key: userID, oldValue: '7', newValue: null })).toBe('signed-out')
  expect(foreignChange({ key: null, oldValue: null, newValue: null })).toBe('signed-out')
  expect(foreignChange({ key: userID, oldValue: '7', newValue: '8' })).toBe('other-user')
  expect(foreignChange({ key: token, oldValue: 'a', newValue: 'b' })).toBe('none')
  expect(foreignChange({ key: 'mapData', oldValue: 'a', newValue: null })).toBe('none')
})
