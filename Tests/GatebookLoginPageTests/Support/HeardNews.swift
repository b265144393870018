import Gatebook
import GatebookLoginPage

/// Notes what an app hears from a page.
actor HeardNews {
  private(set) var heard: [String] = []

  func hear(_ news: LoginPageNews) {
    switch news {
    case .opened: heard.append("opened")
    case .failed(let error): heard.append("failed \(error.code)")
    case .refused(let sentence): heard.append("refused \(sentence)")
    }
  }
}
