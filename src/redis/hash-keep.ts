/** Fields of a hash that has an end, in one step: both or neither. */
import { defineScript } from './script.ts'

export const hashKeep =
  defineScript('hash-keep', ['hash'], ['fields', 'ttl_s'], (reply: 'OK') => reply)
