internal import Testing

@testable internal import GatebookCurl

struct PublicSuffixListTests {
  @Test(arguments: ["com", "de", "co.uk", "github.io", "localhost", "xn--p1ai"])
  func `names under which anybody registers are suffixes`(_ domain: String) throws {
    let list = try #require(PublicSuffixList())
    #expect(list.contains(domain))
  }

  @Test(arguments: ["example.com", "portal.example.co.uk", "ada.github.io", "www.ck"])
  func `names that somebody owns are not`(_ domain: String) throws {
    let list = try #require(PublicSuffixList())
    #expect(!list.contains(domain))
  }

  @Test
  func `without the library there is no list`() {
    #expect(PublicSuffixList(library: "libpsl-of-nobody.so.5") == nil)
  }

  @Test(arguments: ["co.uk", "example.com"])
  func `a list on demand says the same`(_ domain: String) throws {
    let list = try #require(PublicSuffixList())
    #expect(PublicSuffixesOnDemand().contains(domain) == list.contains(domain))
  }

  @Test
  func `without the library every domain is a suffix`() {
    #expect(PublicSuffixesOnDemand(library: "libpsl-of-nobody.so.5").contains("example.com"))
  }
}
