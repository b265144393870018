import Gatebook

/// Shows codes, and no pages.
final class DeviceScreen: Browser {
  let codes = TestBox<[DeviceCode]>([])
  let pages = TestBox<[String]>([])
  private let whenShown: @Sendable () -> Void

  init(_ whenShown: @escaping @Sendable () -> Void = {}) {
    self.whenShown = whenShown
  }

  func open(_ page: HTTPURL) async throws(GatebookError) {
    pages.withLock { $0.append(page.description) }
  }

  func redirect() async throws(GatebookError) -> String {
    throw GatebookError(.cancelled, "No redirect.", remedy: "None.")
  }

  func show(_ code: DeviceCode) async throws(GatebookError) {
    codes.withLock { $0.append(code) }
    whenShown()
  }
}

/// Opens pages, and knows nothing of codes.
struct DeviceWindow: Browser {
  let pages = TestBox<[String]>([])

  func open(_ page: HTTPURL) async throws(GatebookError) {
    pages.withLock { $0.append(page.description) }
  }

  func redirect() async throws(GatebookError) -> String {
    throw GatebookError(.cancelled, "No redirect.", remedy: "None.")
  }
}
