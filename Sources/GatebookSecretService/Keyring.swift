internal import CSecret
internal import GatebookCrypto
internal import GatebookEvents

/// The desktop's keyring for the time of one task: a connection to the Secret Service, on one
/// thread.
///
/// It never asks for anything that could open a window: what is locked is an error. Each task has a
/// connection of its own, so a keyring that was started again is found again.
final class Keyring {
  private let library: SecretLibrary
  private let cancellation: Cancellation
  private let context: OpaquePointer?
  private var bus: OpaquePointer?
  private var service: OpaquePointer?
  private var functions: secret_functions { library.functions }

  /// Connects.
  init(_ library: SecretLibrary, _ cancellation: Cancellation) throws(KeyringFailure) {
    self.library = library
    self.cancellation = cancellation
    // What the bus signals meanwhile is of no interest. In the program's own context it would pile
    // up, or, when the bus goes away, let GLib end the whole program.
    context = library.functions.g_main_context_new()
    functions.g_main_context_push_thread_default(context)
    bus = try call(.bus) { functions.g_bus_get_sync(GBusType(G_BUS_TYPE_SESSION), $0, $1) }
    service = try call(.service) {
      functions.secret_service_open_sync(
        functions.secret_service_get_type(), nil,
        SecretServiceFlags(SECRET_SERVICE_OPEN_SESSION), $0, $1)
    }
  }

  deinit {
    release(service)
    release(bus)
    functions.g_main_context_pop_thread_default(context)
    functions.g_main_context_unref(context)
  }

  /// The texts kept under attributes, the newest first; those that are locked are left out.
  ///
  /// - Returns: The texts, and whether there are locked ones too.
  func texts(
    _ attributes: Attributes
  ) throws(KeyringFailure) -> (texts: [Secret], hasLocked: Bool) {
    var found: [(modified: guint64, text: Secret)] = []
    var hasLocked = false
    try forEachItem(attributes) { (item) throws(KeyringFailure) in
      guard functions.secret_item_get_locked(item) == 0 else {
        hasLocked = true
        return
      }
      do throws(KeyringFailure) {
        try attempt(.work) { functions.secret_item_load_secret_sync(item, $0, $1) }
      } catch  where error.isLocked {
        hasLocked = true
        return
      }
      guard let value = functions.secret_item_get_secret(item) else { return }
      defer { functions.secret_value_unref(UnsafeMutableRawPointer(value)) }
      var count: gsize = 0
      guard let bytes = functions.secret_value_get(value, &count) else { return }
      let text = Secret(Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
      found.append((functions.secret_item_get_modified(item), text))
    }
    return (found.sorted { $0.modified > $1.modified }.map(\.text), hasLocked)
  }

  /// How the collection is where new items go; `nil` when there is none.
  func isDefaultLocked() throws(KeyringFailure) -> Bool? {
    guard let collection = try defaultCollection() else { return nil }
    defer { release(collection) }
    return functions.secret_collection_get_locked(collection) != 0
  }

  /// Keeps a text in the default collection, which must not be locked; one under the same
  /// attributes is replaced.
  func keep(
    _ text: Secret, _ attributes: Attributes, label: String
  ) throws(KeyringFailure) {
    guard let collection = try defaultCollection() else { return }
    defer { release(collection) }
    let value = text.withBytes { bytes in
      bytes.withUnsafeBytes { bytes in
        functions.secret_value_new(
          bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(bytes.count),
          "text/plain")
      }
    }
    defer { functions.secret_value_unref(value.map { UnsafeMutableRawPointer($0) }) }
    let item = try attributes.withTable(library) { (table) throws(KeyringFailure) in
      try call(.work) {
        functions.secret_item_create_sync(
          collection, nil, table, label, value,
          SecretItemCreateFlags(SECRET_ITEM_CREATE_REPLACE), $0, $1)
      }
    }
    release(item)
  }

  /// Removes everything under attributes that is not locked.
  ///
  /// - Returns: How many items were removed, and whether there are locked ones too.
  func remove(
    _ attributes: Attributes
  ) throws(KeyringFailure) -> (count: Int, hasLocked: Bool) {
    var count = 0
    var hasLocked = false
    try forEachItem(attributes) { (item) throws(KeyringFailure) in
      guard functions.secret_item_get_locked(item) == 0 else {
        hasLocked = true
        return
      }
      do throws(KeyringFailure) {
        try attempt(.work) { functions.secret_item_delete_sync(item, $0, $1) }
        count += 1
      } catch  where error.isGone {
        return
      }
    }
    return (count, hasLocked)
  }

  private func defaultCollection() throws(KeyringFailure) -> OpaquePointer? {
    try optional(.work) {
      functions.secret_collection_for_alias_sync(
        service, "default", SecretCollectionFlags(SECRET_COLLECTION_NONE), $0, $1)
    }
  }

  private func forEachItem(
    _ attributes: Attributes, _ body: (OpaquePointer) throws(KeyringFailure) -> Void
  ) throws(KeyringFailure) {
    // Without the flag SECRET_SEARCH_UNLOCK nobody is asked for a password.
    let list = try attributes.withTable(library) { (table) throws(KeyringFailure) in
      try optional(.work) {
        functions.secret_service_search_sync(
          service, nil, table, SecretSearchFlags(SECRET_SEARCH_ALL), $0, $1)
      }
    }
    var items: [OpaquePointer] = []
    var next = list
    while let element = next {
      if let item = element.pointee.data { items.append(OpaquePointer(item)) }
      next = element.pointee.next
    }
    functions.g_list_free(list)
    defer { for item in items { release(item) } }
    for item in items { try body(item) }
  }

  // MARK: Calls

  private typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>

  /// What a call brings; `nil` without an error is none.
  private func optional<Value>(
    _ stage: KeyringFailure.Stage, _ body: (OpaquePointer?, ErrorPlace) -> Value?
  ) throws(KeyringFailure) -> Value? {
    var error: UnsafeMutablePointer<GError>?
    let value = body(cancellation.handle, &error)
    guard error == nil else { throw KeyringFailure(stage, error, library) }
    return value
  }

  /// What a call brings that fails where it brings nothing.
  private func call(
    _ stage: KeyringFailure.Stage, _ body: (OpaquePointer?, ErrorPlace) -> OpaquePointer?
  ) throws(KeyringFailure) -> OpaquePointer {
    guard let value = try optional(stage, body) else { throw KeyringFailure(stage, nil, library) }
    return value
  }

  private func attempt(
    _ stage: KeyringFailure.Stage, _ body: (OpaquePointer?, ErrorPlace) -> gboolean
  ) throws(KeyringFailure) {
    guard try optional(stage, body) != 0 else { throw KeyringFailure(stage, nil, library) }
  }

  private func release(_ object: OpaquePointer?) {
    object.map { functions.g_object_unref(UnsafeMutableRawPointer($0)) }
  }
}
